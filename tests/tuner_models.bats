# tuner_models: its options, its output, and the models beside scikit-learn's.

load helper

models=(cart knn svm forest mlp svm-scaled mlp-scaled)

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
    refuses_all <<'TABLE'
tuner_models|--points 3|out of range
tuner_models|--points 100001|out of range
tuner_models|--points x|not a number
tuner_models|--samples 0|within 1..5500
tuner_models|--samples 5501|within 1..5500
tuner_models|--points 100 --samples 51|within 1..50
tuner_models|--samples=|has an empty entry
tuner_models|--samples 10,,20|has an empty entry
tuner_models|--samples x|not a list of whole numbers
tuner_models|--data gauss|unknown data set 'gauss'; choose from thread-blocks, uniform
tuner_models|--variants gp|unknown variant 'gp'
tuner_models|--write /nowhere/points.csv|No such file
TABLE
}

@test "points are never written over a file" {
    echo mine >"$scratch/points.csv"
    refuses "File exists" "$bin/tuner_models" --points 100 --samples 10 --variants cart --write "$scratch/points.csv"
    [ "$(cat "$scratch/points.csv")" = mine ]
}

@test "one row per model, number of samples and repetition" {
    run_apart "$bin/tuner_models" --csv -n 2 --points 400 --samples 20,100
    all_right $((7 * 2 * 2))
    [ "$(values points)" = 400 ]
    [ "$(column samples forest | paste -sd,)" = 20,20,100,100 ]
    [ "$(values data)" = thread-blocks ]
    [ "$(values variant | wc -w)" -eq 7 ]
    holds 'c["fit_s"] > 0 && c["predict_s"] > 0 && c["r2"] <= 1'
    holds 'c["fit_s"] + c["predict_s"] >= 0.99 * c["time_s"] && c["fit_s"] + c["predict_s"] <= 1.01 * c["time_s"]'
}

# R^2 of all models with that seed.
r2_of_seed() {
    run_apart "$bin/tuner_models" --csv -n 3 -w 0 --points 400 --samples 50 --seed "$1" >&2
    for model in "${models[@]}"; do column r2 "$model"; done
}

@test "the same seed gives the same models, another seed others" {
    first=$(r2_of_seed 5)
    [ "$(wc -l <<<"$first")" -eq 21 ]
    [ "$first" = "$(r2_of_seed 5)" ]
    [ "$first" != "$(r2_of_seed 6)" ]
}

@test "R^2 is scikit-learn's within 0.01" {
    find_sklearn || skip "no python3 with scikit-learn"
    for data in thread-blocks uniform; do
        options=(--csv -q -w 0 --data "$data" --points 2000 --samples 600)
        "$bin/tuner_models" "${options[@]}" -n 10 --variants knn,svm,forest,svm-scaled --write "$scratch/$data.csv" >"$scratch/results.csv"
        "$bin/tuner_models" "${options[@]}" -n 100 --variants cart >"$scratch/trees.csv" # single trees scatter
        run timeout 300 "$python" tests/tuner_sklearn.py "$scratch/$data.csv" "$scratch/results.csv" "$scratch/trees.csv"
        echo "$output"
        [ "$status" -eq 0 ]
        [ "${#lines[@]}" -eq 5 ]
    done
}

@test "the comparison with scikit-learn sees a wrong model" {
    find_sklearn || skip "no python3 with scikit-learn"
    "$bin/tuner_models" --csv -q -n 1 -w 0 --points 400 --samples 100 --variants cart,knn,svm,forest,svm-scaled \
        --write "$scratch/points.csv" | sed 's/,knn,/,svm-was-knn,/; s/,svm,/,knn,/; s/,svm-was-knn,/,svm,/' >"$scratch/swapped.csv"
    run "$python" tests/tuner_sklearn.py "$scratch/points.csv" "$scratch/swapped.csv"
    echo "$output"
    [ "$status" -eq 1 ]
    [[ $output == *"knn samples=100 "*DIFFERS* ]]
}
