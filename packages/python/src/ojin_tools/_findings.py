"""What a client did against the documents."""

from dataclasses import dataclass
from typing import Any, Collection, Dict, List, Optional, Sequence, Union

#: True judges all findings, False none; a collection is of requirements that may be broken.
Judge = Union[bool, Collection[str]]


@dataclass(frozen=True)
class Finding:
    text: str  #: the line that the mock prints
    session: int
    family: Optional[str]
    at_us: int  #: since the start of the mock
    n: int  #: of its journal entry
    note: bool  #: breaks nothing
    #: None: the mock had to answer with an error that no requirement names; what follows is None then
    requirement: Optional[str]
    level: Optional[str] = None
    party: Optional[str] = None
    expected: Optional[str] = None
    actual: Optional[str] = None
    statement: Optional[str] = None
    source: Optional[str] = None

    @classmethod
    def of(cls, told: Dict[str, Any]) -> "Finding":
        return cls(**{name: told.get(name) for name in cls.__dataclass_fields__})  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.text if self.statement is None else f"{self.text}\n    {self.statement}"


class FindingsError(AssertionError):
    """A client broke requirements; `findings` has each."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        times = "a requirement" if len(findings) == 1 else f"requirements {len(findings)} times"
        lines = "".join(f"\n  {finding}" for finding in findings)
        super().__init__(f"the client broke {times}:{lines}")
        self.findings = list(findings)


def judged(findings: Sequence[Finding], judge: Judge = True) -> List[Finding]:
    if judge is False:
        return []
    if judge is True:
        return list(findings)
    allowed = (judge,) if isinstance(judge, str) else judge
    return [one for one in findings if one.requirement not in allowed]
