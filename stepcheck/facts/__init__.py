"""The vocabulary between those who read (frontends) and those who judge (rules): frozen, plain data."""

from stepcheck.facts.code import (
    Again,
    Change,
    Function,
    KeyParameter,
    KeyPart,
    KeyState,
    KeyUse,
    Limit,
    Outcome,
    OutsideCall,
    RepeatedSuccess,
    RetriedCall,
    RetriedStream,
    RetryRegion,
)
from stepcheck.facts.duration import Duration, parse_duration
from stepcheck.facts.effect import Effect
from stepcheck.facts.evidence import Evidence
from stepcheck.facts.field import FIELDS, SILENT_FIELDS, Field
from stepcheck.facts.setting import Origin, Setting
from stepcheck.facts.source import Ignore, Unreadable, UnreadFile
from stepcheck.facts.span import Span
from stepcheck.facts.step import (
    Absence,
    Dedupe,
    Reference,
    RepeatedStep,
    Retry,
    Step,
    StepTable,
    Target,
    UnknownField,
    Unlimited,
    Word,
)
from stepcheck.facts.value import Entry, Invocation, Lambda, Mapping, Name, Opaque, Scalar, Sequence, Value

__all__ = [
    "FIELDS",
    "SILENT_FIELDS",
    "Absence",
    "Again",
    "Change",
    "Dedupe",
    "Duration",
    "Effect",
    "Entry",
    "Evidence",
    "Field",
    "Function",
    "Ignore",
    "Invocation",
    "KeyParameter",
    "KeyPart",
    "KeyState",
    "KeyUse",
    "Lambda",
    "Limit",
    "Mapping",
    "Name",
    "Opaque",
    "Origin",
    "Outcome",
    "OutsideCall",
    "Reference",
    "RepeatedStep",
    "RepeatedSuccess",
    "RetriedCall",
    "RetriedStream",
    "Retry",
    "RetryRegion",
    "Scalar",
    "Sequence",
    "Setting",
    "Span",
    "Step",
    "StepTable",
    "Target",
    "UnknownField",
    "Unlimited",
    "UnreadFile",
    "Unreadable",
    "Value",
    "Word",
    "parse_duration",
]
