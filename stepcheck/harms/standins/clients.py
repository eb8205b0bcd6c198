"""Clients that do more than is written: those that try again by themselves, and those that wait for ever."""

from typing import TYPE_CHECKING, Any

from stepcheck.harms.thing import Thing

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


def of(process: "Process") -> dict[str, Any]:
    """The stand-ins of this module."""

    def boto(service: str, config: Any = None, **_: Any) -> Thing:
        retries = config.get("retries", {}) if isinstance(config, dict) else {}
        process.tries[service] = retries.get("total_max_attempts", 3)
        return Thing(process, service)

    def smtp(*_: Any, timeout: Any = None, **__: Any) -> Thing:
        process.bounded |= set() if timeout is None else {"server"}
        return Thing(process, "server")

    def client(*_: Any, **__: Any) -> Thing:
        return Thing(process, "httpx")

    made: dict[str, Any] = {"boto3.client": boto, "Config": lambda **words: words, "smtplib.SMTP": smtp}
    return made | {"httpx.Client": client}
