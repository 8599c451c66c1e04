# tuner_convert: spaces and results in the JSON of other tuners, and back.

load helper

setup() {
    need_program tuner_convert
    cd "$scratch" || exit 1
    cat >all.space <<'END'
# every kind of parameter
integer  bx 1 16 5
power2   by 1 8
values   alpha 0.5 1.0 2.5
real     share 0.1 0.5 0.2
category mode plain "two words" "it's"
require  bx * by <= 64 && mode != "two words" || !(by > 4)
require  mode == "plain" || alpha == 0.5   # alpha matters in one mode
require  bx / 2 + 16 % by >= 0
only     alpha if mode != "it's" || share > 0.2   # the rest of the line
END
}

# The configurations of a space, by an exhaustive search.
configurations() {
    tuner=$bin/tuner
    "$tuner" --space "$1" --command 'echo t: 1' --time-prefix t: --runs 1 --strategy random --trials 1 --confirm 0 -q | sed -n 's/.* of \([0-9]*\) configurations.*/\1/p'
}

@test "a space goes to T1 and comes back with the same configurations" {
    run_apart "$bin/tuner_convert" all.space -o all.json
    [ "$status" -eq 0 ]
    jq -e '.ConfigurationSpace.TuningParameters | map(.Name + ":" + .Type + ":" + .Values) == ["bx:int:[1, 6, 11, 16]", "by:int:[1, 2, 4, 8]",
        "alpha:float:[0.5, 1.0, 2.5]", "share:float:[0.1, 0.3, 0.5]", "mode:string:['\''plain'\'', '\''two words'\'', \"it'\''s\"]"]' all.json
    jq -e '.ConfigurationSpace.Conditions[1] | .Parameters == ["mode", "alpha"] and .Expression == "mode == \"plain\"  or  alpha == 0.5   "' all.json
    jq -e '.ConfigurationSpace.Conditions[2].Expression == "bx // 2 + 16 % by >= 0"' all.json
    jq -e '.ConfigurationSpace.Conditions[3] | .Parameters == ["alpha", "mode", "share"] and (.Expression | startswith("alpha == 0.5  or  ("))' all.json
    run_apart "$bin/tuner_convert" all.json -o back.space
    [ "$status" -eq 0 ]
    expected=$(configurations all.space)
    [ "$expected" -gt 50 ]
    [ "$(configurations back.space)" = "$expected" ]
}

@test "a space of another tuner: Python's conditions, true division, texts, arrays as values" {
    cat >other.json <<'END'
{"ConfigurationSpace": {"TuningParameters": [
    {"Name": "bx", "Type": "int", "Values": "[16, 32, 48,]"},
    {"Name": "how", "Type": "string", "Values": "['ab', \"c d\"]"},
    {"Name": "flag", "Type": "bool", "Values": "[True, False]"},
    {"Name": "x", "Type": "float", "Values": [1.0, 2.5]}],
  "Conditions": [
    {"Parameters": ["bx"], "Expression": "bx / 32 >= 1 or how == 'ab'"},
    {"Parameters": ["flag", "x"], "Expression": "not (flag == True and x == 2.5) and bx // 16 != 2"}]},
 "KernelSpecification": {}}
END
    run_apart "$bin/tuner_convert" other.json
    [ "$status" -eq 0 ]
    [ "$(sed -n 's/^values bx //p' <<<"$output")" = "16 32 48" ]
    grep -Fqx 'require bx * 1.0 / 32 >= 1 || how == "ab"' <<<"$output"
    printf '%s\n' "$output" >other.space
    # bx 16: only ab; bx 32: never; bx 48: both. Of flag and x three of four.
    [ "$(configurations other.space)" -eq 9 ]
    run_apart "$bin/tuner_convert" -o again.json other.space
    jq -e '.ConfigurationSpace.Conditions[0].Expression' again.json
}

@test "a log goes to T4 and comes back, and can be replayed and gone on from" {
    printf 'integer x 1 6\ncategory mode a "b c"\n' >log.space
    # shellcheck disable=SC2016
    command='[ {x} != 3 ] && [ {x} != 4 ] && echo t: {x}e-3; [ {x} != 3 ] && exit 0; exit 1'
    run_apart "$bin/tuner" --space log.space --command "$command" --time-prefix t: --runs 1 --strategy exhaustive --confirm 0 --log log.csv -q
    [ "$status" -eq 0 ]
    run_apart "$bin/tuner_convert" log.csv -o log.json
    [ "$status" -eq 0 ]
    jq -e '.schema_version == "1.0.0" and (.results | length) == 12' log.json
    jq -e '.results | map(select(.configuration.x == 2 and .configuration.mode == "b c")) | .[0] |
        .invalidity == "correct" and .correctness == 1 and .measurements == [{name: "time", value: 2.0, unit: "ms"}] and .times.runtimes == [2.0]' log.json
    jq -e '[.results[] | select(.invalidity == "runtime") | .configuration.x] | unique == [3, 4]' log.json
    run_apart "$bin/tuner_convert" log.json -o back.csv
    [ "$status" -eq 0 ]
    [ "$(cut -d, -f1-4 back.csv)" = "$(cut -d, -f1-4 log.csv)" ]
    run_apart "$bin/tuner" --replay back.csv --strategy exhaustive
    [[ $output == *"x=1"*"1 of the best of the table"* ]]
}

@test "results of another tuner: units, runtimes, reasons, a parameter that is not always there" {
    cat >other.json <<'END'
{"schema_version": "1.0.0", "metadata": {"timeunit": "microseconds"}, "results": [
 {"configuration": {"bx": 32, "deep": "yes", "pad": 2}, "invalidity": "correct", "correctness": 1, "objectives": ["time"],
  "times": {"runtimes": [5, 7]}, "measurements": [{"name": "time", "value": 4.5, "unit": "us"}, {"name": "power", "value": 99, "unit": "W"}]},
 {"configuration": {"bx": 64, "deep": "no"}, "invalidity": "correct", "correctness": 1, "times": {"runtimes": [5, 7]}},
 {"configuration": {"bx": 128, "deep": "no", "pad": null}, "invalidity": "compile", "correctness": 0, "times": {}},
 {"configuration": {"bx": 256, "deep": "no"}, "invalidity": "timeout", "correctness": 0, "times": {}}]}
END
    run_apart "$bin/tuner_convert" other.json
    [ "$status" -eq 0 ]
    [ "$(cut -d, -f1-4 <<<"$output" | paste -sd ' ')" = "bx,deep,pad,outcome 32,yes,2,ok 64,no,2,ok 128,no,2,failed 256,no,2,hanging" ]
    awk -F, 'NR == 2 { exit !($5 > 4.499e-6 && $5 < 4.501e-6) }' <<<"$output"
    awk -F, 'NR == 3 { exit !($5 > 5.999e-6 && $5 < 6.001e-6) }' <<<"$output"
}

@test "what has no counterpart is refused with a sentence, and the output stays as it was" {
    space='{"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Type": "int", "Values": "VALUES"}], "Conditions": [{"Expression": "CONDITION"}]}}'
    result='{"results": [{"configuration": {"x": VALUE}, "invalidity": "REASON", "times": {"runtimes": [TIME]}}]}'
    echo kept >kept
    while IFS='|' read -r json expected; do
        printf '%s' "$json" >bad.json
        refuses "$expected" "$bin/tuner_convert" bad.json -o kept
    done <<TABLE
{|bad.json:1
{"a": 1}|neither a ConfigurationSpace (T1) nor results (T4)
{"a": 1, "a": 2}|duplicate
{"ConfigurationSpace": {}}|"TuningParameters" is missing
{"ConfigurationSpace": {"TuningParameters": [{"Values": "[1]"}]}}|"Name" is missing
{"ConfigurationSpace": {"TuningParameters": [{"Name": "x"}]}}|no "Values"
${space/VALUES/range(3)}|are not a list of numbers or texts
${space/VALUES/[]}|are not a list
${space/VALUES/[\'a]}|a quote without an end
${space/VALUES/[[1]]}|neither a number nor a text
$(sed 's/VALUES/[1]/; s/CONDITION/x in [1, 2]/' <<<"$space")|\`in\`, which constraints have not
$(sed 's/VALUES/[1]/; s/CONDITION/x ** 2 > 1/' <<<"$space")|which constraints have not
$(sed 's/VALUES/[1]/; s/CONDITION/1 < x <= 3/' <<<"$space")|which constraints have not
{"results": []}|"results" is missing or empty
{"results": [1]}|no "configuration"
$(sed 's/VALUE/[1]/; s/REASON/correct/; s/TIME/1/' <<<"$result")|neither a number nor a text
$(sed 's/VALUE/1/; s/REASON/tired/; s/TIME/1/' <<<"$result")|unknown invalidity
$(sed 's/VALUE/1/; s/REASON/correct/; s/TIME//' <<<"$result")|no time above 0
TABLE
    [ "$(cat kept)" = kept ]
    printf 'x,time_s\n1\n' >bad.csv
    refuses "bad.csv:2: 1 cells" "$bin/tuner_convert" bad.csv
    printf 'integer x 1\n' >bad.space
    refuses "bad.space:1" "$bin/tuner_convert" bad.space
    refuses "none: No such file" "$bin/tuner_convert" none
    refuses "which file" "$bin/tuner_convert"
    refuses "expected [-o FILE] and one file" "$bin/tuner_convert" a b
}
