"""When to try again after a connection was lost or refused, and when not."""

import email.utils
import random
import time

FIRST_DELAY = 0.5  # seconds; doubled with each attempt
MAX_DELAY = 30
MAX_ASKED = 300  # a Retry-After beyond it is not waited for

# Unchanged, another attempt would end the same after any status but these, any close code but these (1000 is an end in good
# order), and after these codes of an errorResponse.
STATUSES_THAT_PASS = {408, 425, 429, *range(500, 600)} - {501}
CLOSE_CODES_THAT_PASS = {1001, 1006, 1011, 1012, 1013, 1014}
LASTING_ERRORS = {"AUTH_FAILED", "INVALID_HEADERS", "MISSING_CONFIG_ID", "MODEL_NOT_FOUND", "UNAUTHORIZED"}


class Backoff:
    """Counts attempts in a row. Only a session that held for a while begins the count anew, so a server that drops each one
    soon after it is ready is given up as well.
    """

    def __init__(self, attempts):
        self.attempts = attempts
        self.tried = 0

    def next_delay(self, asked=0.0):
        """In seconds, not less than the server asked for; None when it is time to give up."""
        if self.tried >= self.attempts or asked > MAX_ASKED:
            return None
        delay = min(FIRST_DELAY * 2**self.tried, MAX_DELAY)
        delay *= 1 + random.random() / 4  # so that clients that were lost together do not come back together
        self.tried += 1
        return max(delay, asked)

    def reset(self):
        self.tried = 0


def read_retry_after(value):
    """Seconds, or a date; 0 for none and for one that cannot be read."""
    if value is None:
        return 0.0
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0
