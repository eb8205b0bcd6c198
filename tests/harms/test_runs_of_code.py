"""What becomes of a few lines of code in a situation, fault by fault."""

from stepcheck.harms.situations import Situation
from tests.harms.examples import runs, worst

POST = """
    import requests

    def pay(order):
        requests.post("https://bank.example/pay", json={"order": order.id}, timeout=5)
"""
KEYED = """
    import requests

    def pay(order):
        headers = {"Idempotency-Key": order.id}
        requests.post("https://bank.example/pay", json={"order": order.id}, headers=headers, timeout=5)
"""


def faults(text: str, situation: Situation, most: int = 1, line: int = 4) -> list[tuple[str, ...]]:
    return [played.faults for played in runs(text, situation, most, line)]


def test_a_post_can_go_wrong_in_so_many_ways() -> None:
    assert sorted({way for (way,) in faults(POST, Situation.ONCE)[1:]}) == [
        "answer lost",
        "crash",
        "hangs",
        "late arrival",
        "request lost",
        "server error after",
    ]


def test_whoever_begins_a_post_again_after_a_lost_answer_makes_it_twice() -> None:
    doubled = [one for one in runs(POST, Situation.AGAIN, 1, 4) if len(one.effects) > 1]
    assert {one.faults for one in doubled} == {("answer lost",), ("crash",), ("late arrival",)}
    assert {wrong.harm for one in doubled for wrong in one.wrong} == {"duplicate"}


def test_a_request_that_was_lost_and_is_begun_again_happens_once() -> None:
    lost = [one for one in runs(POST, Situation.AGAIN, 1, 4) if one.faults == ("request lost",)]
    assert [len(one.effects) for one in lost] == [1]
    assert [one.wrong for one in lost] == [()]


def test_the_same_key_makes_every_repeat_harmless() -> None:
    assert worst(KEYED, Situation.AGAIN, 2, 4) == set()


def test_a_broker_delivers_again_after_a_lost_acknowledgement() -> None:
    again = [one for one in runs(POST, Situation.DELIVERED, 1, 4) if one.faults == ("acknowledgement lost",)]
    assert [len(one.effects) for one in again] == [2]
    assert "The acknowledgement is lost, and it is delivered again" in [
        beat.sentence for beat in again[0].beats
    ]


def test_what_is_wanted_twice_may_happen_twice_and_not_once() -> None:
    smooth, *_ = runs(POST, Situation.TWICE, 0, 4)
    assert (len(smooth.effects), smooth.wrong) == (2, ())
    (once,) = runs(KEYED, Situation.TWICE, 0, 4)
    assert [wrong.harm for wrong in once.wrong] == ["lost"]


def test_digests_are_alike_below_sixteen_digits() -> None:
    text = """
        import hashlib
        import requests

        def pay(order):
            key = hashlib.sha256(order.encode()).hexdigest()[:{digits}]
            requests.post("https://bank.example/pay", json=order, headers={{"Idempotency-Key": key}}, timeout=5)
    """
    short, long = (runs(text.format(digits=digits), Situation.TWO, 0, 5)[0] for digits in (12, 16))
    assert [key for _, key in short.effects] == ["00c0ffee"]
    assert [wrong.harm for wrong in short.wrong] == ["lost"]
    assert len({key for _, key in long.effects}) == 2


def test_a_drawn_key_is_another_one_at_each_try() -> None:
    text = """
        import uuid
        import requests

        def pay(order):
            headers = {"Idempotency-Key": str(uuid.uuid4())}
            requests.post("https://bank.example", json=order, headers=headers, timeout=5)
    """
    doubled = [one for one in runs(text, Situation.AGAIN, 1, 5) if one.faults == ("answer lost",)]
    assert [key for _, key in doubled[0].effects] == ["drawn-1", "drawn-2"]
    assert [wrong.harm for wrong in doubled[0].wrong] == ["duplicate"]


def test_a_transaction_takes_its_row_back_and_not_the_call() -> None:
    text = """
        def ship(order):
            with transaction.atomic():
                Parcel.objects.create(order=order.id, state="sent")
                requests.post("https://carrier.example/parcels", json={"order": order.id}, timeout=5)
    """
    dead = {
        next(beat.sentence for beat in played.beats if "is killed" in beat.sentence): (
            len(played.effects),
            played.records,
        )
        for played in runs(text, Situation.ONCE, 1, 2)
        if played.faults == ("crash",)
    }
    row = (("Parcel", "order order.id, state sent"),)
    assert dead == {
        "The process is killed before 'Parcel.objects.create'": (0, ()),
        "The process is killed before 'requests.post'": (0, ()),
        "The process is killed before the transaction is committed": (1, ()),
        "The process is killed before it is over": (1, row),
    }


def test_a_call_without_a_timeout_may_wait_for_ever() -> None:
    text = """
        import requests

        def pay(order):
            requests.post("https://bank.example/pay", json=order)
    """
    hung = [one for one in runs(text, Situation.ONCE, 1, 4) if one.faults == ("hangs",)]
    assert [wrong.harm for one in hung for wrong in one.wrong] == ["stuck"]
    assert "stuck" not in worst(POST, Situation.ONCE, 1, 4)


def test_two_workers_of_a_server_each_run_a_schedulers_job() -> None:
    text = """
        def remind():
            mail.send("reminder")

        scheduler = BackgroundScheduler()
        scheduler.add_job(remind, "cron", hour=8)
        scheduler.start()
    """
    smooth, *_ = runs(text, Situation.WORKERS, 0, 5)
    assert [wrong.harm for wrong in smooth.wrong] == ["duplicate"]
