"""Every finding and every detail of one: its code, and its parameters with their types.

docs/verdict.md lists the same, and a test compares the two.
"""

from collections.abc import Mapping
from enum import StrEnum


class Code(StrEnum):
    """What is wrong with the result of a case."""

    # the result
    MISSING = "missing"
    WRONG_COUNT = "wrong_count"
    UNEXPECTED = "unexpected"
    TEXT_DIFFERS = "text_differs"
    RETURNED_NONE = "returned_none"
    WRONG_FRAMEWORK = "wrong_framework"
    WRONG_TYPE = "wrong_type"
    UNUSABLE_DTYPE = "unusable_dtype"
    TOO_MANY_AXES = "too_many_axes"
    EMPTY_TOO_LARGE = "empty_too_large"
    WRONG_SHAPE = "wrong_shape"
    WRONG_DTYPE = "wrong_dtype"
    FALSE_DTYPE = "false_dtype"
    NOT_FINITE = "not_finite"
    VALUES_DIFFER = "values_differ"
    INPUT_MODIFIED = "input_modified"
    INPUT_MODIFIED_IN = "input_modified_in"
    NOT_COMPARABLE = "not_comparable"
    OTHER_DTYPE = "other_dtype"  # a remark: it fails no case
    # exceptions, and how the program ended
    RAISED = "raised"
    RAISED_IN_DRIVER = "raised_in_driver"
    NOT_IMPLEMENTED = "not_implemented"
    RAISED_ANOTHER = "raised_another"
    NOT_RAISED = "not_raised"
    NOT_A_MODULE = "not_a_module"
    PARAMETER_NAMES = "parameter_names"
    PARAMETER_SHAPE = "parameter_shape"
    WRONG_PARAMETERS = "wrong_parameters"
    KILLED = "killed"
    EXITED = "exited"
    PROCESS_ENDED = "process_ended"
    CHANNEL_WRITTEN = "channel_written"
    NOT_A_RESULT = "not_a_result"
    JUDGE_LOST = "judge_lost"
    # the file
    NOT_DEFINED = "not_defined"
    WRONG_KIND = "wrong_kind"
    SYNTAX_ERROR = "syntax_error"
    FORBIDDEN_IMPORT = "forbidden_import"
    FORBIDDEN_NAME = "forbidden_name"
    FORBIDDEN_FRAME = "forbidden_frame"
    # limits
    NO_ANSWER = "no_answer"
    OVER_TOTAL_TIME = "over_total_time"
    NOT_RUN = "not_run"
    NOT_RUN_IN_TIME = "not_run_in_time"
    OVER_CPU_TIME = "over_cpu_time"
    OVER_REFERENCE_TIME = "over_reference_time"
    OVER_TIME_LIMITS = "over_time_limits"
    OVER_CPU_FACTOR = "over_cpu_factor"
    OVER_MEMORY = "over_memory"
    PRINTED_TOO_MUCH = "printed_too_much"
    RESULT_TOO_LARGE = "result_too_large"
    TEXT_TOO_LARGE = "text_too_large"
    TENSORS_TOO_LARGE = "tensors_too_large"
    OVER_OUTPUT = "over_output"
    # a hidden case and its public twin
    ONLY_HIDDEN = "only_hidden"
    UNEXPLAINED = "unexplained"


class Came(StrEnum):
    """What came instead of a tensor."""

    NOTHING = "nothing"
    ONE = "one"
    ITEMS = "items"
    ROWS = "rows"
    DETACHED = "detached"
    UNREACHED = "unreached"


class Place(StrEnum):
    """Where the wrong entries of a tensor are."""

    MASK_LEAVES_NO_KEY = "mask_leaves_no_key"
    MASK_HIDES_A_KEY = "mask_hides_a_key"
    HIDDEN_KEYS = "hidden_keys"
    AFTER_HIDDEN_KEY = "after_hidden_key"
    FROM_HIDDEN_KEY = "from_hidden_key"
    ONLY = "only"
    ONE_OF_TWO = "one_of_two"
    ALL_BUT_FIRST = "all_but_first"
    ALL_BUT_LAST = "all_but_last"
    ALL_BUT = "all_but"
    FROM = "from"
    RANGE = "range"
    EVERY_NTH = "every_nth"
    LIST = "list"
    SHARE = "share"


class Axis(StrEnum):
    """What an axis of a tensor counts."""

    BATCH = "batch"
    HEAD = "head"
    ROW = "row"
    COLUMN = "column"
    KEY = "key"
    FEATURE = "feature"
    INDEX = "index"


class Pattern(StrEnum):
    """What a wrong tensor looks like."""

    OPPOSITE = "opposite"
    SINGLE_PRECISION = "single_precision"
    ALL_ZEROS = "all_zeros"
    OFFSET = "offset"
    NEXT_TO_NOTHING = "next_to_nothing"
    FACTOR = "factor"
    MULTIPLE = "multiple"
    TRANSPOSED = "transposed"
    ROWS_REVERSED = "rows_reversed"
    LAST_AXIS_REVERSED = "last_axis_reversed"
    ROWS_SHIFTED = "rows_shifted"
    LAST_AXIS_SHIFTED = "last_axis_shifted"
    REORDERED = "reordered"
    COLUMNS_SUM_TO_ONE = "columns_sum_to_one"
    ROW_SUMS = "row_sums"


TEXT, INTEGER, NUMBER, FLAG = "string", "integer", "number", "boolean"
TEXTS, INTEGERS = "list of strings", "list of integers"
CAME, PATTERN, PLACES = "came or null", "pattern or null", "list of places"
AXIS, KIND = "axis", "kind of entry"
CHOICES: Mapping[str, tuple[str, ...]] = {
    AXIS: tuple(Axis),
    KIND: ("function", "class", "value"),
}

_SCALAR = {"expected": TEXT, "scalar": FLAG}
_AXIS = {"axis": AXIS, "number": "integer or null"}
OPTIONAL_INTEGER, OPTIONAL_NUMBER = "integer or null", "number or null"

PARAMETERS: Mapping[StrEnum, Mapping[str, str]] = {
    Code.MISSING: {"tensor": TEXT, "came": CAME},
    Code.WRONG_COUNT: {"came": CAME, "expected": TEXTS},
    Code.UNEXPECTED: {"tensor": TEXT},
    Code.TEXT_DIFFERS: {"tensor": TEXT, "text": TEXT, "expected": TEXT},
    Code.RETURNED_NONE: {"tensor": TEXT, **_SCALAR},
    Code.WRONG_FRAMEWORK: {"tensor": TEXT, "type": TEXT, "expected": TEXT},
    Code.WRONG_TYPE: {"tensor": TEXT, "type": TEXT, **_SCALAR},
    Code.UNUSABLE_DTYPE: {"tensor": TEXT, "dtype": TEXT, **_SCALAR},
    Code.TOO_MANY_AXES: {"tensor": TEXT, "limit": INTEGER, **_SCALAR},
    Code.EMPTY_TOO_LARGE: {"tensor": TEXT, **_SCALAR},
    Code.WRONG_SHAPE: {"tensor": TEXT, "shape": INTEGERS, "expected": INTEGERS, "axes": TEXTS},
    Code.WRONG_DTYPE: {"tensor": TEXT, "dtype": TEXT, "expected": TEXT},
    Code.FALSE_DTYPE: {"tensor": TEXT, "dtype": TEXT, "announced": TEXT, "expected": TEXT},
    Code.NOT_FINITE: {
        "tensor": TEXT,
        "nan": FLAG,
        "count": INTEGER,
        "total": INTEGER,
        "at": INTEGERS,
        "where": PLACES,
    },
    Code.VALUES_DIFFER: {
        "tensor": TEXT,
        "count": INTEGER,
        "total": INTEGER,
        "largest": OPTIONAL_NUMBER,
        "allowed": OPTIONAL_NUMBER,
        "at": INTEGERS,
        "where": PLACES,
        "pattern": PATTERN,
    },
    Code.INPUT_MODIFIED: {"tensor": TEXT, "at": INTEGERS, "where": PLACES},
    Code.INPUT_MODIFIED_IN: {"case": TEXT},
    Code.NOT_COMPARABLE: {},
    Code.OTHER_DTYPE: {"tensor": TEXT, "dtype": TEXT, "due": TEXT, "cause": TEXT},
    Code.RAISED: {"type": TEXT, "text": TEXT},
    Code.RAISED_IN_DRIVER: {"type": TEXT, "text": TEXT, "at": TEXT},
    Code.NOT_IMPLEMENTED: {},
    Code.RAISED_ANOTHER: {"due": TEXT, "type": TEXT, "text": TEXT},
    Code.NOT_RAISED: {"due": TEXT},
    Code.NOT_A_MODULE: {"entry": TEXT, "made": TEXT},
    Code.PARAMETER_NAMES: {"missing": TEXTS, "unexpected": TEXTS},
    Code.PARAMETER_SHAPE: {"parameter": TEXT, "shape": INTEGERS, "expected": INTEGERS},
    Code.WRONG_PARAMETERS: {},
    Code.KILLED: {"signal": TEXT},
    Code.EXITED: {"status": TEXT},
    Code.PROCESS_ENDED: {},
    Code.CHANNEL_WRITTEN: {},
    Code.NOT_A_RESULT: {},
    Code.JUDGE_LOST: {},
    Code.NOT_DEFINED: {"name": TEXT, "kind": KIND, "defines": TEXTS},
    Code.WRONG_KIND: {"name": TEXT, "kind": KIND, "type": TEXT},
    Code.SYNTAX_ERROR: {"type": TEXT, "text": TEXT, "excerpt": TEXT},
    Code.FORBIDDEN_IMPORT: {},
    Code.FORBIDDEN_NAME: {"name": TEXT},
    Code.FORBIDDEN_FRAME: {"name": TEXT},
    Code.NO_ANSWER: {"seconds": NUMBER, "computing": "boolean or null"},
    Code.OVER_TOTAL_TIME: {"seconds": NUMBER},
    Code.NOT_RUN: {},
    Code.NOT_RUN_IN_TIME: {"seconds": NUMBER},
    Code.OVER_CPU_TIME: {"used_s": NUMBER, "limit_s": NUMBER},
    Code.OVER_REFERENCE_TIME: {"used_ms": NUMBER, "limit_ms": NUMBER, "times": NUMBER},
    Code.OVER_TIME_LIMITS: {"wall_s": NUMBER, "cpu_s": NUMBER, "total_s": NUMBER},
    Code.OVER_CPU_FACTOR: {"times": NUMBER},
    Code.OVER_MEMORY: {"limit_mib": INTEGER},
    Code.PRINTED_TOO_MUCH: {"limit_kib": INTEGER},
    Code.RESULT_TOO_LARGE: {},
    Code.TEXT_TOO_LARGE: {"bytes": INTEGER, "limit": INTEGER},
    Code.TENSORS_TOO_LARGE: {"bytes": INTEGER, "limit": INTEGER},
    Code.OVER_OUTPUT: {},
    Code.ONLY_HIDDEN: {},
    Code.UNEXPLAINED: {},
    Came.NOTHING: {},
    Came.ONE: {"type": TEXT},
    Came.ITEMS: {"type": TEXT, "count": INTEGER},
    Came.ROWS: {"count": INTEGER},
    Came.DETACHED: {},
    Came.UNREACHED: {},
    Place.MASK_LEAVES_NO_KEY: {"mask": TEXT},
    Place.MASK_HIDES_A_KEY: {"mask": TEXT},
    Place.HIDDEN_KEYS: {"mask": TEXT},
    Place.AFTER_HIDDEN_KEY: {"mask": TEXT},
    Place.FROM_HIDDEN_KEY: {"mask": TEXT},
    Place.ONLY: {**_AXIS, "at": INTEGER},
    Place.ONE_OF_TWO: {**_AXIS, "at": INTEGER},
    Place.ALL_BUT_FIRST: _AXIS,
    Place.ALL_BUT_LAST: _AXIS,
    Place.ALL_BUT: {**_AXIS, "at": INTEGER},
    Place.FROM: {**_AXIS, "at": INTEGER},
    Place.RANGE: {**_AXIS, "first": INTEGER, "last": INTEGER},
    Place.EVERY_NTH: {**_AXIS, "step": INTEGER, "at": INTEGER},
    Place.LIST: {**_AXIS, "positions": INTEGERS},
    Place.SHARE: {**_AXIS, "count": INTEGER, "total": INTEGER},
    Pattern.OPPOSITE: {},
    Pattern.SINGLE_PRECISION: {},
    Pattern.ALL_ZEROS: {},
    Pattern.OFFSET: {"by": NUMBER},
    Pattern.NEXT_TO_NOTHING: {},
    Pattern.FACTOR: {"factor": NUMBER, "root": TEXT},
    Pattern.MULTIPLE: {"factor": NUMBER, "root": TEXT},
    Pattern.TRANSPOSED: {},
    Pattern.ROWS_REVERSED: {},
    Pattern.LAST_AXIS_REVERSED: {},
    Pattern.ROWS_SHIFTED: {},
    Pattern.LAST_AXIS_SHIFTED: {},
    Pattern.REORDERED: {},
    Pattern.COLUMNS_SUM_TO_ONE: {},
    Pattern.ROW_SUMS: {"least": NUMBER, "most": NUMBER},
}
# What may be told of a hidden case without a twin: these codes, without their parameters, and those
# that have none.
REDACTED = (
    Code.MISSING,
    Code.WRONG_TYPE,
    Code.WRONG_SHAPE,
    Code.WRONG_DTYPE,
    Code.NOT_FINITE,
    Code.VALUES_DIFFER,
    Code.INPUT_MODIFIED,
    Code.RAISED,
    Code.RAISED_ANOTHER,
    Code.NOT_RAISED,
)
# Of a hidden case without a twin, only this coarse code is told: a finer one would tell more of
# what a submission chose (docs/design/twins.md).
COARSE: Mapping[Code, Code] = {
    Code.WRONG_COUNT: Code.MISSING,
    Code.UNEXPECTED: Code.MISSING,
    Code.TEXT_DIFFERS: Code.VALUES_DIFFER,
    Code.RETURNED_NONE: Code.WRONG_TYPE,
    Code.WRONG_FRAMEWORK: Code.WRONG_TYPE,
    Code.TOO_MANY_AXES: Code.WRONG_TYPE,
    Code.EMPTY_TOO_LARGE: Code.WRONG_TYPE,
    Code.UNUSABLE_DTYPE: Code.WRONG_DTYPE,
    Code.FALSE_DTYPE: Code.WRONG_DTYPE,
    Code.NOT_COMPARABLE: Code.NOT_A_RESULT,
    Code.RAISED_IN_DRIVER: Code.RAISED,
    Code.NOT_IMPLEMENTED: Code.RAISED,
}
