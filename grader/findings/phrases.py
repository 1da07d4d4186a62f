"""The English templates of all findings, and of the details that stand inside them.

A template of a place may use the noun of an axis in four forms: `%(axis)s` "head", `%(axes)s`
"heads", `%(counted)s` as after a number, and `%(unit)s` for one of them. English needs two of them.
`%(of)s` is empty, or names an axis that has a number only.
"""

from collections.abc import Mapping
from enum import StrEnum

from grader.findings.catalogue import C_, N_, NP_
from grader.findings.codes import Axis, Came, Code, Pattern, Place

SENTENCES: Mapping[Code, str] = {
    Code.MISSING: N_("%(tensor)s is missing"),
    Code.UNEXPECTED: N_("%(tensor)s is returned, but the answer ends before it"),
    Code.TEXT_DIFFERS: N_("%(tensor)s is %(text)s; expected %(expected)s"),
    Code.WRONG_COUNT: N_("the call returned %(came)s; expected %(names)d values: %(expected)s"),
    Code.RETURNED_NONE: N_(
        "%(tensor)s is None; expected %(plain)s. Does every path of the function return it?"
    ),
    Code.WRONG_FRAMEWORK: N_("%(tensor)s is a %(type)s; expected an array of NumPy (%(expected)s)"),
    Code.WRONG_TYPE: N_("%(tensor)s is of type %(type)s; expected %(plain)s"),
    Code.UNUSABLE_DTYPE: N_("%(tensor)s is %(dtype)s; expected %(plain)s"),
    Code.TOO_MANY_AXES: N_(
        "%(tensor)s is a tensor of more than %(limit)d axes; expected %(plain)s"
    ),
    Code.EMPTY_TOO_LARGE: N_(
        "%(tensor)s is an empty tensor whose other axes are too large; expected %(plain)s"
    ),
    Code.WRONG_SHAPE: N_("%(tensor)s has shape %(shape)s; expected %(expected)s%(axes)s"),
    Code.WRONG_DTYPE: N_("%(tensor)s is %(dtype)s; expected %(expected)s"),
    Code.FALSE_DTYPE: N_(
        "%(tensor)s is %(dtype)s, though it was announced as %(announced)s; expected %(expected)s"
    ),
    Code.NOT_FINITE: N_("%(tensor)s: %(count)d of %(total)d values are NaN%(where)s"),
    Code.VALUES_DIFFER: N_(
        "%(tensor)s: %(count)d of %(total)d values differ%(size)s%(where)s%(pattern)s"
    ),
    Code.INPUT_MODIFIED: N_("%(tensor)s was modified by the call%(where)s; work on a copy"),
    Code.INPUT_MODIFIED_IN: N_(
        "an input was modified by the call in the case '%(case)s'; work on a copy"
    ),
    Code.OTHER_DTYPE: N_(
        "%(dtype)s where %(due)s was due: %(tensor)s. The values count all the same"
    ),
    Code.NOT_COMPARABLE: N_("the result could not be compared with the answer"),
    Code.RAISED: "%(type)s: %(text)s",
    Code.NOT_IMPLEMENTED: N_("not implemented yet"),
    Code.RAISED_IN_DRIVER: N_("the driver, which calls your code, ended at `%(at)s`: %(message)s"),
    Code.RAISED_ANOTHER: N_("the call must raise %(due)s, and raised something else: %(message)s"),
    Code.NOT_RAISED: N_("the call must raise %(due)s; it returned a value"),
    Code.NOT_A_MODULE: N_(
        "%(entry)s made a %(made)s; it must be a class derived from torch.nn.Module"
    ),
    Code.PARAMETER_NAMES: N_(
        "the parameters have other names than the statement gives (missing: %(missing)s; not asked"
        " for: %(unexpected)s)"
    ),
    Code.PARAMETER_SHAPE: N_(
        "parameter %(parameter)s has shape %(shape)s; it must be %(expected)s"
    ),
    Code.WRONG_PARAMETERS: N_("the module's parameters are not the ones that the statement names"),
    Code.KILLED: N_("the process was ended by this signal: %(signal)s"),
    Code.EXITED: N_("the program ended its own process: %(status)s"),
    Code.PROCESS_ENDED: N_("the program ended its own process, or a signal ended it"),
    Code.CHANNEL_WRITTEN: N_(
        "what came out is not a result: the program wrote to the result channel itself"
    ),
    Code.NOT_A_RESULT: N_("what came out is not a result"),
    Code.JUDGE_LOST: N_("the judge lost the room; this is not your fault, and nothing is scored"),
    Code.NOT_DEFINED: N_("the file defines no %(kind)s '%(name)s'; it defines %(defines)s"),
    Code.WRONG_KIND: N_(
        "'%(name)s' must be a %(kind)s; the file makes it a value of type %(type)s"
    ),
    Code.SYNTAX_ERROR: "%(type)s: %(text)s%(excerpt)s",
    Code.FORBIDDEN_IMPORT: N_("this exercise is solved without imports"),
    Code.FORBIDDEN_NAME: N_("%(name)s is what this exercise asks you to write"),
    Code.FORBIDDEN_FRAME: N_(
        "%(name)s leads to the code that calls yours; work from what your code is given alone"
    ),
    Code.NO_ANSWER: N_("no answer after %(seconds)s s"),
    Code.OVER_TOTAL_TIME: N_("no answer within the %(seconds)s s that the whole submission has"),
    Code.NOT_RUN: N_("not run: it ended in the same way in several cases before"),
    Code.NOT_RUN_IN_TIME: N_(
        "not run: the cases before used all of the %(seconds)s s that the whole submission has"
    ),
    Code.OVER_CPU_TIME: N_("%(used_s)s s of CPU; allowed %(limit_s)s s"),
    Code.OVER_REFERENCE_TIME: N_(
        "%(used_ms)s ms of CPU; allowed %(limit_ms)s ms, that is %(times)s times the reference's"
    ),
    Code.OVER_TIME_LIMITS: N_(
        "over the time limit: %(wall_s)s s for a call, %(cpu_s)s s of CPU and %(total_s)s s in all"
    ),
    Code.OVER_CPU_FACTOR: N_("over the time limit: %(times)s times the reference's CPU time"),
    Code.OVER_MEMORY: N_("more than %(limit_mib)d MiB of memory"),
    Code.PRINTED_TOO_MUCH: N_("too much output: more than %(limit_kib)d KiB"),
    Code.RESULT_TOO_LARGE: N_("too much output: the result is larger than allowed"),
    Code.TEXT_TOO_LARGE: N_(
        "too much output: a frame with %(bytes)d bytes of text; at most %(limit)d are allowed"
    ),
    Code.TENSORS_TOO_LARGE: N_(
        "too much output: a frame of %(bytes)d bytes; at most %(limit)d are allowed"
    ),
    Code.OVER_OUTPUT: N_("too much output"),
    Code.ONLY_HIDDEN: N_("it passes with the public inputs and fails with the hidden ones"),
    Code.UNEXPLAINED: N_("it fails with the hidden inputs; the public ones could not be tried"),
}
# Of a hidden case without a public twin: the kind of finding, and no more.
BARE: Mapping[Code, str] = {
    Code.MISSING: N_("a result is missing"),
    Code.WRONG_TYPE: N_("a result is of another type than asked"),
    Code.WRONG_SHAPE: N_("a result has another shape than asked"),
    Code.WRONG_DTYPE: N_("a result has another dtype than asked"),
    Code.NOT_FINITE: N_("a result is not finite where it must be"),
    Code.VALUES_DIFFER: N_("the values differ"),
    Code.INPUT_MODIFIED: N_("an input was modified by the call"),
    Code.RAISED: N_("the call raised an exception"),
    Code.RAISED_ANOTHER: N_("the call raised another exception than it must"),
    Code.NOT_RAISED: N_("the call did not raise the exception that it must"),
}
MISSING: Mapping[Came, str] = {
    Came.NOTHING: N_("%(tensor)s is missing: the call returned nothing"),
    Came.ONE: N_("%(tensor)s is missing: the call returned %(came)s"),
    Came.ITEMS: N_("%(tensor)s is missing: the call returned %(came)s"),
    Came.DETACHED: N_("%(tensor)s: no gradient: the result is detached from the inputs"),
    Came.UNREACHED: N_("%(tensor)s: no gradient reaches it"),
}
# Templates of codes that have more than one, beside the one above.
ONE_VALUE = N_("%(tensor)s: the value differs%(size)s%(where)s%(pattern)s")
INFINITE = N_("%(tensor)s: %(count)d of %(total)d values are infinite%(where)s")
INTEGERS = N_("%(tensor)s is %(dtype)s; expected integers")
NOT_TORCH = N_("%(tensor)s is a %(type)s; expected a torch.Tensor (%(expected)s)")
NO_VALUES = N_("the call returned nothing; expected %(names)d values: %(expected)s")
OWN_CLASS = N_("%(entry)s is a class of its own; it must be a class derived from torch.nn.Module")
NAMES_MISSING = N_(
    "the parameters have other names than the statement gives (missing: %(missing)s)"
)
NAMES_UNEXPECTED = N_(
    "the parameters have other names than the statement gives (not asked for: %(unexpected)s)"
)
NO_MODULE = N_(
    "%(type)s: %(text)s. A solution can import the standard library and NumPy, and one in PyTorch"
    " also torch"
)
DEFINES_NOTHING = N_("the file defines no %(kind)s '%(name)s'; it defines nothing")
COMPUTING = N_("no answer after %(seconds)s s; it was still computing")
WAITING = N_("no answer after %(seconds)s s; it was waiting, not computing")
MEMORY_AT_LINE = N_("more than %(limit_mib)d MiB of memory (line %(line)d)")
# Parts of sentences.
SIZE = N_(", by up to %(largest)s (allowed %(allowed)s)")
LETTERS = N_(", that is (%(letters)s)")
PLAIN = {
    True: N_("a plain %(expected)s value"),
    False: N_("a plain %(expected)s array"),
}
KINDS = {"function": N_("function"), "class": N_("class"), "value": N_("value")}
DETAILS: Mapping[StrEnum, str] = {
    Came.ONE: N_("one %(type)s"),
    Came.ITEMS: N_("a %(type)s of %(count)d"),
    Place.MASK_LEAVES_NO_KEY: N_("in exactly the rows where %(mask)s leaves no visible key"),
    Place.MASK_HIDES_A_KEY: N_("in exactly the rows where %(mask)s hides a key"),
    Place.HIDDEN_KEYS: N_("at keys that %(mask)s hides only"),
    Place.AFTER_HIDDEN_KEY: N_("in exactly the rows after the first key that %(mask)s hides"),
    Place.FROM_HIDDEN_KEY: N_("in exactly the rows from the first key on that %(mask)s hides"),
    Place.ONLY: N_("in %(of)s%(axis)s %(at)d only"),
    Place.ONE_OF_TWO: N_("in %(of)s%(axis)s %(at)d"),
    Place.ALL_BUT_FIRST: N_("in every %(of)s%(axis)s but the first"),
    Place.ALL_BUT_LAST: N_("in every %(of)s%(axis)s but the last"),
    Place.ALL_BUT: N_("in every %(of)s%(axis)s but %(at)d"),
    Place.FROM: N_("in %(of)s%(axes)s from %(at)d on"),
    Place.RANGE: N_("in %(of)s%(axes)s %(first)d to %(last)d"),
    Place.EVERY_NTH: N_("in every %(ordinal)s %(of)s%(axis)s from %(at)d on"),
    Place.LIST: N_("in %(of)s%(axes)s %(positions)s"),
    Place.SHARE: N_("in %(count)d of %(total)d %(of)s%(axes)s"),
    Pattern.OPPOSITE: N_("; it is the opposite of the answer"),
    Pattern.SINGLE_PRECISION: N_("; it is right to single precision: something inside is float32"),
    Pattern.ALL_ZEROS: N_("; it is all zeros"),
    Pattern.OFFSET: N_("; every value is off by the same %(by)s"),
    Pattern.NEXT_TO_NOTHING: N_("; every value is next to nothing"),
    Pattern.FACTOR: N_("; every value is %(factor)s times what it should be"),
    Pattern.MULTIPLE: N_("; it is %(factor)s times what it should be"),
    Pattern.TRANSPOSED: N_("; it is the transpose of the answer"),
    Pattern.ROWS_REVERSED: N_("; the rows are in reverse order"),
    Pattern.LAST_AXIS_REVERSED: N_("; the last axis is in reverse order"),
    Pattern.ROWS_SHIFTED: N_("; the rows are shifted by one"),
    Pattern.LAST_AXIS_SHIFTED: N_("; the last axis is shifted by one"),
    Pattern.REORDERED: N_("; the values are right, but in another order"),
    Pattern.COLUMNS_SUM_TO_ONE: N_("; its columns sum to 1, not its rows"),
    Pattern.ROW_SUMS: N_("; its rows sum to %(least)s to %(most)s, not to 1"),
}
SOMETHING = N_("something of another type")
ORDINALS = {2: N_("second"), 3: N_("third")}
NTH = N_("%(step)dth")
NUMBERED = N_("axis %(number)d ")
FIRST_PLACE, NEXT_PLACE = C_("before the first place", ", "), C_("between places", ", ")
ROWS = NP_("%(tensor)s has only %(count)d row", "%(tensor)s has only %(count)d rows")
NOUNS = {
    Axis.BATCH: NP_("batch", "batches"),
    Axis.HEAD: NP_("head", "heads"),
    Axis.ROW: NP_("row", "rows"),
    Axis.COLUMN: NP_("column", "columns"),
    Axis.KEY: NP_("key", "keys"),
    Axis.FEATURE: NP_("feature", "features"),
    Axis.INDEX: NP_("index", "indices"),
}
COUNTED = {
    Axis.BATCH: C_("counted", "batch"),
    Axis.HEAD: C_("counted", "head"),
    Axis.ROW: C_("counted", "row"),
    Axis.COLUMN: C_("counted", "column"),
    Axis.KEY: C_("counted", "key"),
    Axis.FEATURE: C_("counted", "feature"),
    Axis.INDEX: C_("counted", "index"),
}
UNITS = {
    Axis.BATCH: C_("unit", "batch"),
    Axis.HEAD: C_("unit", "head"),
    Axis.ROW: C_("unit", "row"),
    Axis.COLUMN: C_("unit", "column"),
    Axis.KEY: C_("unit", "key"),
    Axis.FEATURE: C_("unit", "feature"),
    Axis.INDEX: C_("unit", "index"),
}
LINE = N_("line %(line)d: %(message)s")
LOADING = N_("%(message)s (while the file was being loaded)")

# of `OTHER_DTYPE`, where the cause is known
OF_A_NUMBER = N_(
    "%(dtype)s where %(due)s was due: %(tensor)s. `%(cause)s` of a Python number gives a float64;"
    " `math.sqrt` keeps %(due)s"
)
MADE = N_(
    "%(dtype)s where %(due)s was due: %(tensor)s. `%(cause)s` makes a float64 array unless it is"
    " given a dtype"
)
