#!/usr/bin/env bats
# tuner_models: its options, its output, and the models beside scikit-learn's.

setup() {
    cd "$BATS_TEST_DIRNAME/.." || exit 1
    models=${BIN:-$PWD/build/${GPU:-soft}/bin}/tuner_models
    scratch=$BATS_TEST_TMPDIR
}

# Runs the program; stdout in $output, stderr in $stderr.
run_apart() {
    status=0
    output=$("$models" "$@" 2>"$scratch/stderr") || status=$?
    stderr=$(cat "$scratch/stderr")
}

# The values of column $1 of the CSV in $output, of rows whose variant is $2.
column() {
    awk -F, -v name="$1" -v variant="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        NR > 1 && $2 == variant { print $c }' <<<"$output"
}

# The first python3 that knows scikit-learn.
find_sklearn() {
    for python in python3 /usr/bin/python3; do
        if command -v "$python" >/dev/null && "$python" -c 'import sklearn' 2>/dev/null; then
            return 0
        fi
    done
    return 1
}

@test "bad options end with exit 1 and one sentence" {
    while IFS='|' read -r options expected; do
        # shellcheck disable=SC2086
        run_apart $options
        echo "$options: status $status, $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [[ $(tail -n 1 <<<"$stderr") == "RESULT: FAIL "*"$expected"* ]]
    done <<'TABLE'
--points 3|out of range
--points 100001|out of range
--points x|not a number
--samples 0|within 1..5500
--samples 5501|within 1..5500
--points 100 --samples 51|within 1..50
--samples=|not a list of whole numbers
--samples 10,,20|not a list of whole numbers
--data gauss|thread-blocks and uniform
--variants gp|gp
--write /nowhere/points.csv|No such file
TABLE
}

@test "points are never written over a file" {
    echo mine >"$scratch/points.csv"
    run_apart --points 100 --samples 10 --variants cart --write "$scratch/points.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"File exists"* ]]
    [ "$(cat "$scratch/points.csv")" = mine ]
}

@test "one row per model, number of samples and repetition" {
    run_apart --csv -n 2 --points 400 --samples 20,100
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$(wc -l <<<"$output")" -eq $((1 + 7 * 2 * 2)) ]
    [ "$(column points mlp-scaled | sort -u)" = 400 ]
    [ "$(column samples forest | paste -sd,)" = 20,20,100,100 ]
    [ "$(column data svm | sort -u)" = thread-blocks ]
    [ "$(column errors mlp | sort -u)" = 0 ]
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && !($at["fit_s"] > 0 && $at["predict_s"] > 0 && $at["r2"] <= 1) { exit 1 }
        NR > 1 { sum = $at["fit_s"] + $at["predict_s"]; if (sum < 0.99 * $at["time_s"] || sum > 1.01 * $at["time_s"]) exit 1 }
    ' <<<"$output"
}

@test "the same seed gives the same models, another seed others" {
    options=(--csv -n 3 -w 0 --points 400 --samples 50)
    run_apart "${options[@]}" --seed 5
    first=$(for model in cart knn svm forest mlp svm-scaled mlp-scaled; do column r2 "$model"; done)
    run_apart "${options[@]}" --seed 5
    second=$(for model in cart knn svm forest mlp svm-scaled mlp-scaled; do column r2 "$model"; done)
    run_apart "${options[@]}" --seed 6
    third=$(for model in cart knn svm forest mlp svm-scaled mlp-scaled; do column r2 "$model"; done)
    [ "$(wc -l <<<"$first")" -eq 21 ]
    [ "$first" = "$second" ]
    [ "$first" != "$third" ]
}

@test "R^2 is scikit-learn's within 0.01" {
    find_sklearn || skip "no python3 with scikit-learn"
    for data in thread-blocks uniform; do
        options=(--csv -q -w 0 --data "$data" --points 2000 --samples 600)
        "$models" "${options[@]}" -n 10 --variants knn,svm,forest,svm-scaled --write "$scratch/$data.csv" >"$scratch/results.csv"
        "$models" "${options[@]}" -n 100 --variants cart >"$scratch/trees.csv" # single trees scatter
        run timeout 300 "$python" tests/tuner_sklearn.py "$scratch/$data.csv" "$scratch/results.csv" "$scratch/trees.csv"
        echo "$output"
        [ "$status" -eq 0 ]
        [ "${#lines[@]}" -eq 5 ]
    done
}

@test "the comparison with scikit-learn sees a wrong model" {
    find_sklearn || skip "no python3 with scikit-learn"
    "$models" --csv -q -n 1 -w 0 --points 400 --samples 100 --variants cart,knn,svm,forest,svm-scaled \
        --write "$scratch/points.csv" | sed 's/,knn,/,svm-was-knn,/; s/,svm,/,knn,/; s/,svm-was-knn,/,svm,/' >"$scratch/swapped.csv"
    run "$python" tests/tuner_sklearn.py "$scratch/points.csv" "$scratch/swapped.csv"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"knn samples=100 "*DIFFERS* ]]
}
