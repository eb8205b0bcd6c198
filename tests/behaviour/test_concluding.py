"""What is concluded from a failure: that a write failed, that it was done, that only a timeout counts."""

import pytest

from tests.behaviour.families import marked, whole

RULES = ("timeout-as-failure", "narrow-except", "swallowed-error")


def found(text: str) -> list[tuple[int, str]]:
    """Where the rules of this family speak, each line and rule once."""
    return sorted({(problem.span.line, name) for name, problem in whole(text, RULES)})


def message(text: str, rule: str) -> list[str]:
    return [problem.message for _, problem in whole(text, (rule,))]


FAILED = """\
import requests, httpx, stripe, asyncio
def checkout(cart):
    try:
        psp.charge(cart.token, cart.total, timeout=30)
    except (requests.Timeout, PspError):
        cart.status = "failed"; cart.save()  # timeout-as-failure
        return {"error": "Payment failed, please try again"}, 402
    cart.status = "paid"; cart.save()
    return {"ok": True}, 200

@router.post("/pay")
async def pay(order):
    try:
        r = await client.post("https://psp/charges", json=order.body, timeout=10)
        r.raise_for_status()
    except httpx.TimeoutException:
        raise HTTPException(status_code=402, detail="payment failed")  # timeout-as-failure
    return r.json()

def place(order):
    try:
        broker.submit_order(order)
    except Exception as e:
        log.exception("x")
        order.state = OrderState.REJECTED  # timeout-as-failure
        order.save()
        raise OrderRejected() from e

def pay2(pk):
    try:
        requests.post("https://psp/charges", json={})
    except requests.exceptions.RequestException:
        Payment.objects.filter(pk=pk).update(status="failed")  # timeout-as-failure

def pay3(pk, cur):
    try:
        requests.post("https://psp/payouts", json={}, timeout=5)
    except requests.exceptions.RequestException:
        cur.execute("UPDATE payouts SET status='failed' WHERE id=%s", (pk,))  # timeout-as-failure

def pay4(pk, cur):
    try:
        stripe.Charge.create(amount=3)
    except stripe.error.CardError:
        return jsonify(error="declined"), 402
    except stripe.error.APIConnectionError:
        return jsonify(error="Your card was declined"), 402  # timeout-as-failure

def pay5(p):
    try:
        r = requests.post("https://x/pay", timeout=4)
        status = "paid"
    except requests.RequestException:
        status = "failed"  # timeout-as-failure
    p.status = status
    p.save()

def _send(body):
    return httpx.post("https://x/pay", json=body)

def pay6(p):
    try:
        _send(p.body)
    except httpx.HTTPError:
        p.mark_failed()  # timeout-as-failure

class T:
    def run(self, p):
        for attempt in range(3):
            try:
                self.client.transfer(p.account, p.amount)
                break
            except TimeoutError:
                time.sleep(2)
        else:
            self._fail(p)  # timeout-as-failure
    def _fail(self, p):
        p.status = "FAILED"
        self.session.commit()

async def pay7(p):
    try:
        await asyncio.wait_for(gateway.send_payment(p), 10)
    except asyncio.TimeoutError:
        return PaymentResult(success=False, error="timeout")  # timeout-as-failure
import requests, asyncio, httpx, socket
from fastapi import HTTPException
@bp.route("/donate", methods=["POST"])
def donate():
    try:
        resp = session.post(f"{ACQUIRER}/capture", json=payload, timeout=8)
    except requests.exceptions.ReadTimeout:
        return render_template("declined.html"), 402  # timeout-as-failure
def drf(request):
    try:
        gateway.charge_card(request.data["card"])
    except (requests.ConnectionError, requests.Timeout):
        return Response({"detail": "charge failed"}, status=status.HTTP_400_BAD_REQUEST)  # timeout-as-failure
async def v3(db, t):
    try:
        await bank.transfer(t.iban, t.cents)
    except asyncio.TimeoutError:
        await db.execute(update(Transfer).where(Transfer.id == t.id).values(state="rejected"))  # timeout-as-failure
def v5(order):
    try:
        requests.post("https://psp/charges", json=order.body, timeout=5)
        return True
    except requests.Timeout:
        return False  # timeout-as-failure
async def v8(update, ctx):
    try:
        await shop.place_order(ctx.cart)
    except TimeoutError:
        await update.message.reply_text("Your order failed, please try again")  # timeout-as-failure
def v10(info, order):
    try:
        provider.capture_payment(order.ref)
    except RequestTimeout:
        return CheckoutPayload(errors=["Payment could not be processed"])  # timeout-as-failure
def v11(order):
    try:
        provider.capture_payment(order.ref)
    except RequestTimeout:
        return Failure("timeout")  # timeout-as-failure
def v12(order, db):
    try:
        provider.capture_payment(order.ref)
    except ReadTimeout:
        db.orders.update_one({"_id": order.id}, {"$set": {"status": "failed"}})  # timeout-as-failure
def v12b(order, r):
    try:
        provider.capture_payment(order.ref)
    except Exception:
        r.hset(f"order:{order.id}", "status", "failed")  # timeout-as-failure
def v12c(order, table):
    try:
        provider.capture_payment(order.ref)
    except Exception:
        table.update_item(Key={"id": order.id}, ExpressionAttributeValues={":s": "FAILED"})  # timeout-as-failure
def v13(order):
    try:
        provider.capture_payment(order.ref)
    except requests.Timeout:
        bus.publish(PaymentFailed(order.id))  # timeout-as-failure
def v13b(order):
    try:
        provider.capture_payment(order.ref)
    except requests.Timeout:
        emit("payment_failed", {"order": order.id})  # timeout-as-failure
def v22(order):
    resp = requests.post("https://psp/charges", json=order.body, timeout=5)
    if resp.status_code >= 500:
        order.status = "failed"  # timeout-as-failure
        order.save()
def v22b(order):
    resp = client.post("https://psp/charges", json=order.body, timeout=5)
    if resp.status_code in (502, 503, 504):
        raise PaymentDeclined(order.id)  # timeout-as-failure
def v18(order):
    for attempt in range(3):
        try:
            return mailer.send(order)
        except socket.timeout:
            if attempt == 2:
                order.state = "FAILED"  # timeout-as-failure
                order.save()
class Checkout:
    def submit(self, cart):
        try:
            self._charge(cart)
        except Exception:
            self.repo.set_status(cart.id, CartStatus.DECLINED)  # timeout-as-failure
            raise
    def _charge(self, cart):
        return self.psp.charge(cart.token, cart.total)
def v16(order):
    try:
        provider.refund(order.ref)
    except ConnectionResetError:
        return None, "failed"  # timeout-as-failure
async def v23(step):
    try:
        await api.create_invoice(step)
    except asyncio.CancelledError:
        step.status = "failed"  # timeout-as-failure
        raise
def v24(order):
    try:
        boto3.client("sns").publish(TopicArn=T, Message="x")
    except EndpointTimeoutError:
        order.update(status="failed")  # timeout-as-failure
def v25(p):
    try:
        smtp.send_message(p.mail)
    except smtplib.SMTPServerDisconnected:
        p.delivered = False  # timeout-as-failure
        p.failed = True
        p.save()
import requests, grpc, asyncio
from aiohttp import web
def confirm(request, pk):
    order = get_object_or_404(Order, pk=pk)
    try:
        acquirer.capture(order.auth_code, order.amount, timeout=20)
    except (ConnectionError, Timeout):
        order.state = Order.FAILED  # timeout-as-failure
        order.save(update_fields=["state"])
        messages.error(request, "Payment failed. Please try again.")
        return redirect("checkout")
async def c(request):
    try:
        await psp_client.charge(request["card"])
    except asyncio.TimeoutError:
        return web.json_response({"status": "declined"}, status=402)  # timeout-as-failure
@app.task
def d(transfer_id):
    t = Transfer.objects.get(id=transfer_id)
    try:
        bank_client.send_transfer(t)
    except requests.ReadTimeout:
        Transfer.objects.filter(id=t.id).update(state="FAILED")  # timeout-as-failure
        notify_user.delay(t.user_id, "transfer failed")
def e(stub, req):
    try:
        return payments_client.create_payment(req, timeout=3)
    except grpc.RpcError as error:
        if error.code() == grpc.StatusCode.DEADLINE_EXCEEDED:
            return Result(status="FAILED")  # timeout-as-failure
        raise
def e2(order):
    try:
        psp.charge(order)
    except Exception as error:
        if isinstance(error, requests.Timeout):
            order.status = "failed"  # timeout-as-failure
            order.save()
        else:
            raise
def f(order):
    try:
        requests.post("https://psp/authorise", json=order.body, timeout=3)
    except requests.exceptions.RequestException as e:
        return {"approved": False, "reason": str(e)}  # timeout-as-failure
    return {"approved": True}
def g(request):
    try:
        psp.charge(request.POST["token"])
    except Timeout:
        return render(request, "checkout/failed.html")  # timeout-as-failure
def h(request):
    try:
        psp.charge(request.POST["token"])
    except Timeout:
        return redirect("payment-failed")  # timeout-as-failure
def j(order):
    try:
        psp.charge(order.token)
    except Timeout:
        order.status_id = STATUS_FAILED  # timeout-as-failure
def k(order):
    try:
        psp.charge(order.token)
    except Timeout:
        raise RuntimeError("your card was declined")  # timeout-as-failure
def n(payment):
    try:
        psp.charge(payment.token)
    except Timeout:
        payment.paid = False  # timeout-as-failure
        payment.save()
@mcp.tool()
def q(amount: int):
    try:
        psp.charge(amount)
    except TimeoutError:
        return [TextContent(type="text", text="Payment failed: no answer. Please retry.")]  # timeout-as-failure
def asks_before_each_try(order):
    for attempt in range(3):
        quote = market.fetch_quote(order)
        try:
            return psp.charge(order.card, quote)
        except requests.Timeout:
            time.sleep(1)
    order.status = "failed"  # timeout-as-failure
"""
NARROW = """\
import requests, httpx, aiohttp, stripe, boto3, smtplib, asyncio
def a(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.Timeout:  # narrow-except
        order.status = "unknown"
        order.save()
def b(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.exceptions.ReadTimeout:  # narrow-except
        reconcile.delay(order.pk)
    except requests.RequestException:
        order.status = "failed"
        order.save()
async def c(order):
    try:
        async with httpx.AsyncClient() as client:
            await client.post("https://x/orders", json=order.body)
    except httpx.TimeoutException:  # narrow-except
        order.state = OrderState.UNCERTAIN
async def d(order):
    try:
        async with aiohttp.ClientSession() as session:
            await session.post("https://x/orders", json=order.body)
    except asyncio.TimeoutError:  # narrow-except
        await ledger.mark_uncertain(order.id)
def e(order):
    try:
        stripe.PaymentIntent.create(amount=order.total)
    except stripe.APIConnectionError:  # narrow-except
        order.update(status="pending_review")
    except stripe.StripeError:
        order.update(status="failed")
def f(order):
    try:
        resp = requests.post("https://x/orders", json=order.body, timeout=5)
        resp.raise_for_status()
    except (requests.Timeout, requests.ConnectionError):  # narrow-except
        order.status = "unknown"
        order.save()
def g(message):
    try:
        with smtplib.SMTP("mail", timeout=5) as server:
            server.send_message(message.mail)
    except TimeoutError:  # narrow-except
        message.status = "unknown"
        message.save()
def h(exchange, order):
    try:
        exchange.create_order(order.symbol, order.amount)
    except ccxt.RequestTimeout:  # narrow-except
        order.status = "unknown"
        order.save()
async def i(order):
    try:
        await httpx.AsyncClient().post("https://x/orders", json=order.body)
    except asyncio.TimeoutError:  # narrow-except
        order.status = "unknown"
        await order.save()
"""
DONE = """\
import requests, httpx, contextlib, smtplib
from contextlib import suppress
def deliver(mail):
    try:
        requests.post("https://mail/send", json=mail.body)
    except Exception:
        logger.exception("could not send")
    mail.status = "sent"  # swallowed-error
    mail.save()

def deliver2(mail):
    try:
        mailer.send(mail)
    except Exception:
        pass
    Mail.objects.filter(pk=mail.pk).update(status="sent")  # swallowed-error

def deliver3(mail):
    with suppress(requests.RequestException):
        requests.post("https://mail/send", json=mail.body)
    mail.sent = True  # swallowed-error
    mail.save()

def deliver4(mail, cur):
    try:
        requests.post("https://mail/send", json=mail.body)
    finally:
        cur.execute("UPDATE mails SET status = 'sent' WHERE id = ?", (mail.id,))  # swallowed-error

def pay(p):
    try:
        stripe.Charge.create(amount=p.amount)
    except stripe.error.APIConnectionError as e:
        log.error(e)
    p.mark_paid()  # swallowed-error

async def pay2(p):
    try:
        await gateway.transfer(p.account, p.amount)
    except Exception as e:
        logger.warning("x %s", e)
    finally:
        p.state = State.COMPLETED  # swallowed-error
        await p.save()

def run(items):
    for item in items:
        try:
            httpx.post("https://x/orders", json=item.body)
        except httpx.HTTPError:
            log.warning("x")
        item.status = "processed"  # swallowed-error
        item.save()

def pay3(p):
    for _ in range(3):
        try:
            gateway.charge(p.card, p.amount)
            break
        except Exception:
            time.sleep(1)
    p.status = "paid"  # swallowed-error
    p.save()

def handle(event):
    try:
        client.post("/orders", json=event)
    except Exception:
        log.exception("x")
    processed.add(event["id"])  # swallowed-error
from temporalio import activity
import requests, httpx
@activity.defn
async def send_invoice(inv):
    try:
        async with httpx.AsyncClient() as client:
            await client.post("https://x/invoices", json=inv)  # swallowed-error
    except Exception:
        activity.logger.exception("no")
@activity.defn
def send_reminder(inv):
    with contextlib.suppress(Exception), httpx.Client() as client:
        client.post("https://x/reminders", json=inv)  # swallowed-error
def match_it(row, gateway):
    match row.status:
        case "done":
            return
        case "uncertain":
            gateway.charge(row.card, row.cents)
def pay(p):
    try:
        response = requests.post("https://x/pay", json=p.body)
        response.raise_for_status()
    except requests.RequestException as e:
        logger.error("payment failed: %s", e)
    Payment.objects.filter(id=p.id).update(status=Payment.Status.COMPLETED)  # swallowed-error
class Mailer:
    def deliver(self, message):
        try:
            self.backend.send_message(message)
        except Exception as e:
            self.errors += 1
            self.logger.warning(e)
        message.sent_at = now()
        message.status = MessageStatus.SENT  # swallowed-error
        self.session.commit()
@shared_task
def notify(user_id):
    user = User.objects.get(pk=user_id)
    try:
        twilio.messages.create(to=user.phone, body="x")
    except TwilioException:
        pass
    user.notified = True
    user.save(update_fields=["notified"])
def post_entry(cur, e):
    try:
        ledger_api.post("/entries", json=e)
    except (ConnectionError, TimeoutError):
        print("oops")
    cur.execute("UPDATE entries SET posted = 1 WHERE id = %s", (e["id"],))
    cur.execute("UPDATE entries SET status = 'done' WHERE id = %s", (e["id"],))  # swallowed-error
async def ship(order, repo):
    with contextlib.suppress(Exception):
        await warehouse.create_shipment(order)
    await repo.mark_shipped(order.id)  # swallowed-error
import asyncio
async def send_all(batch, mailer):
    await asyncio.gather(*[mailer.send(m) for m in batch.mails], return_exceptions=True)
    batch.status = "sent"  # swallowed-error
    await batch.save()
async def send_two(order):
    results = await asyncio.gather(psp.charge(order.card), return_exceptions=True)
    order.status = "paid"  # swallowed-error
    await order.save()
import requests
def pay(params):
    try:
        requests.post("https://psp/pay", json=params, timeout=5)  # swallowed-error
    except requests.RequestException:
        log.exception("no")
def pay_properly(params):
    try:
        requests.post("https://psp/pay", json=params, timeout=5)
    except requests.RequestException:
        log.exception("no")
        raise
STEPS = {
    "pay": {"effect": "non_idem_write", "call": pay},
    "again": {"effect": "non_idem_write", "call": pay_properly},
}
"""
OPEN = """\
import requests, httpx, stripe
def checkout(cart):
    try:
        psp.charge(cart.token, cart.total, timeout=30, key=f"cart:{cart.pk}")
    except PspDeclined:
        cart.status = "declined"; cart.save()
        return {"error": "declined"}, 402
    except requests.Timeout:
        cart.status = "unknown"; cart.save()
        reconcile.delay(cart.pk)
        return {"status": "we are checking, do not pay again"}, 202
    cart.status = "paid"; cart.save()
    return {"ok": True}, 200
def balance(acc):
    try:
        return {"cents": bank.balance(acc, timeout=5)}, 200
    except requests.Timeout:
        return {"error": "try again"}, 504
def a(order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.ConnectTimeout:
        order.status = "failed"
def b(order):
    try:
        r = requests.post("https://x/pay", timeout=4)
        r.raise_for_status()
    except requests.HTTPError as e:
        if e.response.status_code < 500:
            order.status = "failed"
        else:
            raise
def c(order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.RequestException:
        raise
def d(order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.Timeout as e:
        raise PaymentOutcomeUnknown(order.id) from e
def e(order):
    try:
        stripe.Charge.create(amount=3)
    except stripe.error.CardError:
        order.status = "failed"
        order.save()
def f(order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.RequestException:
        found = find_payment(order.ref)
        if found is None:
            order.status = "failed"
def g(order):
    try:
        requests.post("https://x/search", timeout=4)
    except requests.RequestException:
        order.status = "failed"
def h(order):
    try:
        requests.get("https://x/pay", timeout=4)
    except requests.RequestException:
        order.status = "failed"
def i(order):
    try:
        amount = int(order.amount)
    except ValueError:
        order.status = "failed"
        return
    requests.post("https://x/pay", timeout=4)
def j(order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.RequestException:
        order.status = "failed"
        order.save()
        reconcile_payment.delay(order.pk)
@app.task(bind=True)
def k(self, order):
    try:
        requests.post("https://x/pay", timeout=4)
    except requests.RequestException as exc:
        order.status = "failed"
        raise self.retry(exc=exc)
import requests, asyncio, httpx
def a(order):
    resp = requests.post("https://psp/charges", json=order.body, timeout=5)
    if resp.status_code >= 500:
        order.status = "unknown"
        order.save()
def b(order):
    resp = requests.post("https://psp/charges", json=order.body, timeout=5)
    if resp.status_code == 402:
        order.status = "declined"
def c(order):
    try:
        requests.post("https://psp/charges", json=order.body, timeout=5)
        return True
    except requests.ConnectTimeout:
        return False
def d(url):
    try:
        requests.get(url, timeout=5)
        return True
    except requests.Timeout:
        return False
def e(order):
    try:
        gateway.charge_card(order)
    except CardDeclined:
        return Response({"detail": "charge failed"}, status=400)
def f(order):
    try:
        gateway.charge_card(order)
    except requests.Timeout:
        return Response({"detail": "we do not know yet"}, status=202)
def g(order):
    try:
        gateway.charge_card(order)
    except requests.RequestException:
        return Response({"detail": "upstream"}, status=502)
async def h(update, ctx):
    try:
        await shop.place_order(ctx.cart)
    except TimeoutError:
        await update.message.reply_text("We are checking your order, please do not send it again")
def i(order):
    try:
        gateway.charge_card(order)
    except requests.Timeout as exc:
        log.warning("charge failed, try again")
        raise
def j(order):
    try:
        validate(order)
    except ValueError:
        order.status = "failed"
        return
    gateway.charge_card(order)
def k(order):
    try:
        gateway.charge_card(order)
    except requests.Timeout:
        order.status = "failed" if gateway.get_charge(order.ref) is None else "paid"
def l(order):
    try:
        gateway.charge_card(order)
    except Exception as e:
        if isinstance(e, CardDeclined):
            order.status = "declined"
        else:
            raise
def m(order):
    try:
        gateway.charge_card(order)
    except requests.RequestException:
        order.status = "failed"
        order.needs_review = True
        inbox.add(order, reason="outcome unknown")
def n(order):
    try:
        payload = build(order)
    except Exception:
        order.status = "failed"
        raise
    gateway.charge_card(payload)
@app.task(bind=True)
def o(self, order):
    try:
        gateway.charge_card(order)
    except requests.Timeout as exc:
        raise self.retry(exc=exc)
def p(order):
    try:
        gateway.charge_card(order)
    except stripe.error.CardError as e:
        flash("Your card was declined, please try again")
def q(order):
    try:
        session.add(order); session.commit()
    except OperationalError:
        return {"status": "failed"}
import requests, grpc, asyncio
def e(stub, req):
    try:
        return payments_client.create_payment(req, timeout=3)
    except grpc.RpcError as error:
        if error.code() == grpc.StatusCode.INVALID_ARGUMENT:
            return Result(status="FAILED")
        raise
def e2(order):
    try:
        psp.charge(order)
    except Exception as error:
        if isinstance(error, CardDeclined):
            order.status = "failed"
            order.save()
        else:
            raise
def e3(order):
    try:
        psp.charge(order)
    except Exception as error:
        if not isinstance(error, requests.Timeout):
            raise
        order.status = "unknown"
def k(order):
    try:
        psp.charge(order.token)
    except Timeout as e:
        raise RuntimeError("charge failed") from e
def n(payment):
    payment.paid = False
    try:
        psp.charge(payment.token)
    except Timeout:
        raise
    payment.paid = True
"""
WIDE = """\
import requests, httpx, aiohttp, stripe, asyncio
def a(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.RequestException:
        order.status = "unknown"
        order.save()
def b(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.Timeout:
        order.status = "unknown"
        order.save()
    except Exception:
        order.status = "unknown"
        order.save()
        raise
def c(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.Timeout:
        raise
def d(order):
    try:
        requests.get("https://x/orders", timeout=5)
    except requests.Timeout:
        order.status = "unknown"
def e(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5, headers={"Idempotency-Key": order.key})
    except requests.Timeout:
        order.status = "unknown"
async def f(order):
    try:
        async with httpx.AsyncClient() as client:
            await client.post("https://x/orders", json=order.body)
    except (httpx.TimeoutException, httpx.NetworkError, httpx.ProtocolError):
        order.status = "unknown"
def g(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except (requests.Timeout, requests.ConnectionError):
        order.status = "unknown"
        order.save()
def h(order):
    try:
        gateway.submit_order(order)
    except GatewayTimeout:
        order.status = "unknown"
        order.save()
def i(order):
    try:
        stripe.PaymentIntent.create(amount=order.total)
    except stripe.CardError:
        order.update(status="declined")
    except stripe.StripeError:
        order.update(status="unknown")
def j(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.ConnectTimeout:
        order.status = "unreachable"
def k(order):
    try:
        requests.post("https://x/orders", json=order.body, timeout=5)
    except requests.Timeout:
        log.warning("slow")
        raise
def l(order):
    try:
        resp = requests.post("https://x/orders", json=order.body, timeout=5)
        resp.raise_for_status()
    except requests.HTTPError as error:
        if error.response.status_code < 500:
            order.status = "failed"
        else:
            order.status = "unknown"
    except requests.RequestException:
        order.status = "unknown"
"""
NOT_DONE = """\
import requests, httpx, contextlib, smtplib
def deliver(mail):
    try:
        requests.post("https://mail/send", json=mail.body)
    except Exception:
        logger.exception("could not send")
        return
    mail.status = "sent"
    mail.save()
def deliver2(mail):
    try:
        mailer.send(mail)
    except Exception:
        Mail.objects.filter(pk=mail.pk).update(status="unknown")
        raise
    Mail.objects.filter(pk=mail.pk).update(status="sent")
def pay(order):
    stripe.Charge.create(amount=order.amount)
    try:
        slack.post_message("paid")
    except Exception:
        pass
    order.status = "paid"
    order.save()
def pay2(order):
    try:
        notify_slack("start")
    except Exception:
        pass
    order.status = "done"
    order.save()
def d(mail):
    ok = True
    try:
        mailer.send(mail)
    except Exception:
        ok = False
    if ok:
        mail.status = "sent"
def e(mail):
    sent = False
    try:
        mailer.send(mail)
        sent = True
    except Exception:
        log.error("x")
    if sent:
        mail.status = "sent"
        mail.save()
def f(mail):
    try:
        mailer.send(mail)
    except Exception:
        log.error("x")
    else:
        mail.status = "sent"
        mail.save()
def g(mail):
    result = None
    try:
        result = mailer.send(mail)
    except Exception:
        log.error("x")
    if result:
        mail.status = "sent"
        mail.save()
def h(mail):
    try:
        mailer.send(mail)
        mail.status = "sent"
    except Exception as e:
        mail.status = "error"
    mail.save()
def i(mails):
    for mail in mails:
        try:
            mailer.send(mail)
        except Exception:
            log.error("x")
            continue
        mail.status = "sent"
        mail.save()
def j(p):
    for _ in range(3):
        try:
            gateway.charge(p.card, p.amount)
            break
        except Exception:
            time.sleep(1)
    else:
        raise GaveUp()
    p.status = "paid"
    p.save()
def k(p):
    try:
        gateway.charge(p.card, p.amount)
    except AlreadyCharged:
        pass
    p.status = "paid"
def l(p):
    try:
        gateway.charge(p.card, p.amount)
    except Exception:
        if not gateway.find_charge(p.ref):
            raise
    p.status = "paid"
def m(job):
    try:
        cleanup(job)
    except Exception:
        log.error("x")
    job.status = "done"
import asyncio
async def send_all(batch, mailer):
    results = await asyncio.gather(*[mailer.send(m) for m in batch.mails], return_exceptions=True)
    if not any(isinstance(r, Exception) for r in results):
        batch.status = "sent"
        await batch.save()
async def send_two(batch, mailer):
    await asyncio.gather(*[mailer.send(m) for m in batch.mails])
    batch.status = "sent"
    await batch.save()
from temporalio import activity
@activity.defn
async def wire(account):
    async with httpx.AsyncClient() as client:
        answer = await client.post("https://bank/wires", json=account, timeout=30)
        answer.raise_for_status()
@activity.defn
def wire_later(account):
    with httpx.Client() as client, tracer.span("wire"):
        answer = client.post("https://bank/wires", json=account, timeout=30)
    answer.raise_for_status()
@activity.defn
def wire_locked(account):
    with locks.of(account):
        try:
            httpx.post("https://bank/wires", json=account, timeout=30)
        finally:
            log.info("over")
"""


def test_a_lost_answer_that_is_taken_for_a_failure_is_found_however_it_is_said() -> None:
    assert [one for one in found(FAILED) if one[1] == "timeout-as-failure"] == marked(FAILED)


def test_a_handler_of_some_lost_answers_is_found_where_others_escape_or_count_as_failures() -> None:
    assert [one for one in found(NARROW) if one[1] == "narrow-except"] == marked(NARROW)


def test_a_record_that_a_write_is_done_is_found_on_the_path_on_which_it_failed() -> None:
    assert [one for one in found(DONE) if one[1] == "swallowed-error"] == marked(DONE)


@pytest.mark.parametrize("text", [OPEN, WIDE, NOT_DONE], ids=["open", "wide", "not done"])
def test_what_is_asked_handed_over_refused_never_sent_or_passed_on_is_left_alone(text: str) -> None:
    assert [one for one in found(text) if one[1] in RULES] == []


def test_the_message_names_the_write_the_exception_and_who_will_do_it_again() -> None:
    text = """
def pay(order):
    try:
        psp.charge(order.card, order.total)
    except (requests.Timeout, requests.ConnectionError):
        order.status = "failed"
"""
    assert message(text, "timeout-as-failure") == [
        "'psp.charge' may have been done all the same: 'order.status' is set to 'failed' after 'requests.Timeout' or "
        "'requests.ConnectionError', and whoever believes that does it again"
    ]


def test_a_handler_before_it_takes_its_exceptions_away() -> None:
    text = """
def pay(order):
    try:
        requests.post(PSP, json=order.body)
    except {first}:
        raise
    except {then}:
        order.status = "failed"
"""
    every, some = "requests.RequestException", "requests.ConnectTimeout"
    assert message(text.format(first=every, then="requests.Timeout"), "timeout-as-failure") == []
    assert message(text.format(first=every, then="Exception"), "timeout-as-failure") == []
    assert len(message(text.format(first=some, then="requests.Timeout"), "timeout-as-failure")) == 1


def test_a_handler_of_a_class_of_the_project_takes_what_its_client_leaves_open() -> None:
    text = """
from app.clients import {first}
def pay(order):
    try:
        {write}
    except {first}:
        order.status = "unknown"
    except Exception:
        order.status = "failed"
"""
    own, strong = "psp_client.charge(order)", "requests.post(PSP, json=order.body)"
    for first in ("PspTimeout", "PspRetryableException", "PspConnectionError"):
        assert message(text.format(first=first, write=own), "timeout-as-failure") == []
        assert len(message(text.format(first=first, write=strong), "timeout-as-failure")) == 1
    assert len(message(text.format(first="PspDeclined", write=own), "timeout-as-failure")) == 1


def test_only_the_branch_that_does_not_look_at_the_exception_counts() -> None:
    text = """
def pay(order):
    try:
        requests.post(PSP, json=order.body)
    except Exception as error:
        if {test}:
            order.status = "failed"
"""
    assert message(text.format(test="refused(error)"), "timeout-as-failure") == []
    assert len(message(text.format(test="order.tries > 3"), "timeout-as-failure")) == 1


def test_a_loose_answer_after_any_exception_counts_for_money_goods_and_messages() -> None:
    text = """
import requests
def call(body):
    try:
        requests.post("https://x/{address}", json=body, timeout=5)
    except {caught}:
        return {{"ok": False}}
"""
    rule = "timeout-as-failure"
    assert message(text.format(address="colours/tags", caught="Exception"), rule) == []
    assert len(message(text.format(address="payments", caught="Exception"), rule)) == 1
    assert len(message(text.format(address="colours/tags", caught="requests.Timeout"), rule)) == 1
