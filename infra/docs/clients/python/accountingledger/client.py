"""A client of the accounting ledger: typed calls that retry, lists as iterators, batches."""

import itertools
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import schemas
from .calls import Calls
from .transport import LedgerError

__all__ = ["Ledger", "LedgerError"]

ENTRIES_PER_BATCH = 25


class Ledger(Calls):
    def every(self, call: Callable[..., Any], **query: Any) -> Iterator[Any]:
        """Yields all items of a list, for example ``ledger.every(ledger.list_accounts, …)``."""
        cursor: str | None = None
        while True:
            page = call(**query, cursor=cursor)
            yield from next(value for value in page.values() if isinstance(value, list))
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def events(self, after: int = 0, **query: Any) -> Iterator[schemas.Event]:
        """Yields the events after a sequence. Store that of the last event that you handled."""
        while True:
            page = self.list_events(after=after, **query)
            yield from page["events"]
            if not page["has_more"]:
                return
            after = page["next_after"]

    def post_entries(
        self,
        domain_url: str,
        entries: Iterable[schemas.JournalEntryRequest],
        *,
        idempotency_key: str | None = None,
    ) -> Iterator[schemas.CreatedJournalEntries]:
        """Posts entries in batches of 25 and yields each batch.

        All entries of a batch are posted, or none. With an ``idempotency_key``, the same entries
        can be sent again and are posted once.
        """
        key = idempotency_key or str(uuid.uuid4())
        rest = iter(entries)
        for number in itertools.count(1):
            batch = list(itertools.islice(rest, ENTRIES_PER_BATCH))
            if not batch:
                return
            yield self.create_journal_entries(
                {"domain_url": domain_url, "journal_entries": batch},
                idempotency_key=f"{key}-{number}",
            )
