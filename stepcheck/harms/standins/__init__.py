"""Stand-ins for the libraries that examples use: small, shared, and only as far as examples need them."""

from typing import TYPE_CHECKING, Any

from stepcheck.harms.standins import aio, clients, draws, retrying, schedulers, transactions, workflows

if TYPE_CHECKING:
    from stepcheck.harms.process import Process


def of(process: "Process") -> dict[str, Any]:
    """Every stand-in by its dotted name, for one process."""
    return {
        **draws.of(process),
        **retrying.of(process),
        **aio.of(process),
        **transactions.of(process),
        **clients.of(process),
        **workflows.of(process),
        **schedulers.of(process),
    }
