# pipeline/: the directive's program: what is accepted and refused, the words, and the listings.

load helper

directive() {
    run_apart "$bin/pipeline_directive" "$@"
}

once+=(--dataset tiny)

# rows CONDITION: how many rows of $output fulfil it. The directive has commas of its own: columns count from the end.
rows() {
    awk -F, 'NR > 1 { variant = $2; form = $(NF-6); accepted = $(NF-5); expected = $(NF-4); matches = $(NF-3)
                      time_s = $(NF-2); errors = $(NF-1); state = $NF; count += ('"$1"') ? 1 : 0 }
             END { print count + 0 }' <<<"$output"
}

@test "bad options of pipeline_directive end with exit 1 and one sentence" {
    refuses_all <<'TABLE'
pipeline_directive|--dataset nowhere|has no data set nowhere
pipeline_directive|--dataset 3|stencil
pipeline_directive|--variants parse|unknown variant 'parse'; choose from accept
TABLE
}

@test "everything of the syntax tables is accepted, everything else refused" {
    directive "${once[@]}" -q
    [ "$status" -eq 0 ]
    [ "$(rows 'variant == "accept"')" -ge 20 ]
    [ "$(rows 'variant == "reject"')" -ge 20 ]
    [ "$(rows 'variant == "accept" && !(accepted == 1 && expected == 1 && matches == 1)')" -eq 0 ]
    [ "$(rows 'variant == "reject" && !(accepted == 0 && expected == 0 && matches == 1)')" -eq 0 ]
    [ "$(rows 'errors != 0 || state != "pass"')" -eq 0 ]
    for form in 1 2; do
        [ "$(rows "variant == \"accept\" && form == $form")" -ge 5 ]
        [ "$(rows "variant == \"reject\" && form == $form")" -ge 5 ]
    done
}

@test "the listings run as the benchmarks do, with right results" {
    directive --csv -n 3 -w 0 --dataset tiny --variants listing -q
    [ "$status" -eq 0 ]
    [ "$(rows 1)" -eq 6 ]
    [ "$(rows 'matches == 1 && errors == 0 && time_s > 0')" -eq 6 ]
    [ "$(rows '/pipeline\(k,1,3\)/ && form == 1')" -eq 3 ]
    [ "$(rows '/pipeline\(i,to,4\)/ && form == 2')" -eq 3 ]
}

@test "a refusal has a column and says what was expected" {
    directive "${once[@]}" -v --variants reject
    [ "$status" -eq 0 ]
    refusals=$(grep -c '^    column [0-9]*: .' <<<"$stderr")
    [ "$refusals" -eq "$(rows 1)" ]
    [[ $stderr == *'column 50: '?'j'?' is not declared: the iterator of this directive is '?'k'?* ]]
    [[ $stderr == *'expected '?')'?' after what '?'pipeline'?' is given, found '?','?* ]]
}

@test "a record of the listings says which sizes they had" {
    directive "${once[@]}" -o "$scratch/directive.csv" --variants listing
    [ "$status" -eq 0 ]
    [ -s "$scratch/directive.csv" ]
    grep -q '"--dataset", *"tiny"' <(tr -d '\n' <"$scratch/directive.json")
}
