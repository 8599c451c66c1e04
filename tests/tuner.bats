# tuner: the tool. Its options, what it finds, its log, and how it ends.

load helper

setup() {
    printf 'integer x 1 20\ninteger y 1 20\nrequire x * y <= 100\n' >"$scratch/grid.space"
}

# What stands in $output behind the word $1 at the beginning of a line.
said() {
    sed -n "s/^$1 *//p" <<<"$output"
}

# A table of all x, y up to 30 whose least time, 1, is at 7, 3.
write_table() {
    awk 'BEGIN { print "x,y,time_s"
        for (x = 1; x <= 30; x++) for (y = 1; y <= 30; y++)
            print x "," y "," (x * y > 400 ? "" : 1 + 0.1 * ((x - 7) ^ 2 + (y - 3) ^ 2)) }'
}

# A command that takes no time to speak of and prints one: least, 1, at 7, 3.
# shellcheck disable=SC2016
valley='echo t: $(( 1 + ({x} - 7) * ({x} - 7) + ({y} - 3) * ({y} - 3) ))'

@test "bad options end with exit 1 and one sentence" {
    printf 'x,y,time_s\n1,2,3\n' >"$scratch/table.csv"
    while IFS='|' read -r options expected; do
        eval "refuses \"\$expected\" \"\$bin/tuner\" $options"
    done <<TABLE
|what is to be tuned
--replay|needs a value
--reply x|unknown option --reply
-x|unknown option -x
--replay $scratch/table.csv extra|extra is not an option
--replay $scratch/table.csv --kernel gemm|exclude one another
--replay $scratch/none.csv|No such file
--replay $scratch/table.csv --where x|COLUMN=VALUE
--replay $scratch/table.csv --where =x|COLUMN=VALUE
--replay $scratch/table.csv --where z=1|no column z
--replay $scratch/table.csv --where x=4|no rows
--replay $scratch/table.csv --ignore x,|empty entry
--replay $scratch/table.csv --ignore x,y|no column of a parameter
--replay $scratch/table.csv --space $scratch/grid.space|--space cannot be combined with --replay
--replay $scratch/table.csv --runs 3|--runs cannot be combined with --replay
--replay $scratch/table.csv --strategy best|unknown strategy 'best'; choose from random, iterml
--replay $scratch/table.csv --model tree|unknown model 'tree'; choose from cart, knn
--replay $scratch/table.csv --strategy random --model cart|--model cannot be combined with the strategy random
--replay $scratch/table.csv --pick-ratio 0|out of range
--replay $scratch/table.csv --pick-ratio 2|out of range
--replay $scratch/table.csv --cut-ratio 1|out of range
--replay $scratch/table.csv --cut-ratio nan|not a number
--replay $scratch/table.csv --iterations -1|out of range
--replay $scratch/table.csv --iterations 1.5|not a whole number
--replay $scratch/table.csv --trials 0|out of range
--replay $scratch/table.csv --budget 10x|not a time
--replay $scratch/table.csv --budget 0s|not a time
--replay $scratch/table.csv --budget m|not a time
--replay $scratch/table.csv --seed -1|out of range
--replay $scratch/table.csv --strategy=|--strategy needs a name
--replay $scratch/table.csv --log $scratch|irectory
--command true|needs a --space
--command true --space $scratch/none.space|none.space
--command true --space $scratch/grid.space --dataset tiny|--dataset cannot be combined with --command
--command 'run {z}' --space $scratch/grid.space|{z}
--command '{' --space $scratch/grid.space|without a }
--command true --space $scratch/grid.space --runs 0|out of range
--command true --space $scratch/grid.space --limit 0|not a time
--command true --space $scratch/grid.space --time-prefix ''|time-prefix
--command true --space $scratch/grid.space --time-prefix t --time-unit h|unknown time unit 'h'
--command true --space $scratch/grid.space --maximize|--maximize needs a --time-prefix
--command true --space $scratch/grid.space --build ''|the build is empty
--command true --space $scratch/grid.space --build 'cc {z}'|the build: the command has {z}
--command 'run {build}' --space $scratch/grid.space|{build}
--kernel gem|unknown kernel 'gem'; choose from 2dconv
--kernel gemm --dataset huge|unknown data set 'huge'; choose from tiny, small, full
--kernel gemm --space $scratch/grid.space|bx and by
--kernel gemm --limit 3s|--limit cannot be combined with --kernel
TABLE
}

@test "help and version end with exit 0" {
    run_apart "$bin/tuner" -h
    [ "$status" -eq 0 ]
    [[ $output == *"--time-prefix TEXT"*"iterml"*"forest"*"gesummv"*"Examples:"* ]]
    run_apart "$bin/tuner" --version
    [ "$status" -eq 0 ]
    [[ $output == tuner\ [0-9]* ]]
}

@test "every strategy finds the best of a table when it may try all of it" {
    write_table >"$scratch/table.csv"
    for strategy in auto random exhaustive annealing genetic local; do
        run_apart "$bin/tuner" --replay "$scratch/table.csv" --strategy "$strategy" --trials 900 -q
        [ "$status" -eq 0 ]
        [ "$(said best)" = "x=7 y=3" ]
        [[ $output == *" 1 of the best of the table"* ]]
        [ -z "$stderr" ]
    done
}

@test "iterml finds nearly the best of a table with a twentieth of it, with every model" {
    write_table | gzip >"$scratch/table.csv.gz"
    for model in cart knn svm forest mlp svm-scaled mlp-scaled; do
        run_apart "$bin/tuner" --replay "$scratch/table.csv.gz" --strategy iterml --model "$model" --trials 45
        [ "$status" -eq 0 ]
        [[ $(said trials) == "45 of 900 configurations (5 %): "* ]]
        [[ $(said search) == "iterml with $model, iteration 3, seed 1: "* ]]
        [[ $stderr == *"1 of at most 45 trials"* ]]
        awk '/of the best of the table/ { exit !($1 >= 0.6) }' <<<"$output"
    done
}

@test "the same seed gives the same search, another one another" {
    write_table >"$scratch/table.csv"
    for seed in 1 1 2; do
        "$bin/tuner" --replay "$scratch/table.csv" --trials 40 --seed "$seed" -q --log "$scratch/log$((++n)).csv"
    done
    cmp "$scratch/log1.csv" "$scratch/log2.csv"
    cut -d , -f 1,2 "$scratch/log1.csv" >"$scratch/one"
    cut -d , -f 1,2 "$scratch/log3.csv" >"$scratch/two"
    [ "$(wc -l <"$scratch/one")" -eq 41 ]
    run -1 cmp "$scratch/one" "$scratch/two"
}

@test "a table of tuner_sweep needs its kernel and nothing else" {
    {
        echo "experiment,variant,gpu,host,rank,ranks,gpus,rep,size,block_x,block_y,outcome,rate_gflops,spread_s,time_s,errors,status"
        for x in 1 2 4; do
            echo "tuner_sweep,mvt,soft,h,0,1,1,0,64,$x,2,ok,1,0,0.$x,0,pass"
            echo "tuner_sweep,gemm,soft,h,0,1,1,0,64,$x,2,ok,1,0,0.0$((5 - x)),0,pass"
        done
        echo "tuner_sweep,gemm,soft,h,0,1,1,0,64,8,2,invalid,,,,0,pass"
    } >"$scratch/sweep.csv"
    run_apart "$bin/tuner" --replay "$scratch/sweep.csv" --where variant=gemm --strategy exhaustive
    [ "$status" -eq 0 ]
    [ "$(said best)" = "block_x=4 block_y=2" ]
    [ "$(said trials)" = "4 of 4 configurations (100 %): 3 ok, 1 invalid, 0 failed, 0 hanging" ]
    run_apart "$bin/tuner" --replay "$scratch/sweep.csv" --where variant=gemm --ignore experiment
    [ "$status" -eq 1 ]
    [[ $stderr == *"sweep.csv:8: the parameter rate_gflops has no value"* ]]
    run_apart "$bin/tuner" --replay "$scratch/sweep.csv" --where variant=mvt --ignore experiment,host,rate_gflops,status
    [ "$status" -eq 0 ]
    [[ $(said best) == "gpu=soft rank=0 "*" block_x=1 block_y=2 outcome=ok spread_s=0 errors=0" ]]
}

@test "a command is tuned, its best is confirmed and can be run" {
    run_apart "$bin/tuner" --space "$scratch/grid.space" --command "$valley" --time-prefix t: --runs 1 \
        --strategy local --trials 150
    [ "$status" -eq 0 ]
    [ "$(said best)" = "x=7 y=3" ]
    [[ $output == *"1 s (95 % interval 1 s to 1 s, measured 6 times more)"* ]]
    [[ $output == *"slower, the intervals do not overlap"* ]]
    [ "$(sh -c "$(said command)")" = "t: 1" ]
}

@test "times have units, and a rate is maximised" {
    printf 'integer x 1 9\n' >"$scratch/nine.space"
    local arguments=(--space "$scratch/nine.space" --runs 1 --strategy exhaustive -q --time-prefix t:)
    run_apart "$bin/tuner" "${arguments[@]}" --confirm 0 --command 'echo t: $((10 + ({x} - 4) * ({x} - 4))) us'
    [ "$status" -eq 0 ]
    [[ $output == *"10 us"* ]]
    run_apart "$bin/tuner" "${arguments[@]}" --confirm 0 --command 'echo t: $((10 + ({x} - 4) * ({x} - 4)))' --time-unit ms
    [[ $output == *"10 ms"* ]]
    run_apart "$bin/tuner" "${arguments[@]}" --confirm 6 --command 'echo t: $((100 - ({x} - 4) * ({x} - 4))) GFLOP/s' --maximize
    [ "$(said best)" = "x=4" ]
    [[ $output == *"100 (95 % interval 100 to 100, measured 6 times more)"* ]]
}

@test "a build runs once for each of its own texts, and one that fails fails its configurations" {
    printf 'integer x 1 3\ninteger y 1 4\n' >"$scratch/two.space"
    local arguments=(--space "$scratch/two.space" --runs 2 --strategy random -q --confirm 2 --time-prefix t:)
    run_apart "$bin/tuner" "${arguments[@]}" --build "echo {x} >>$scratch/builds; [ {x} != 2 ] && echo 'echo t: {x}.\$1' >$scratch/{build}" \
        --command "sh $scratch/{build} {y}"
    [ "$status" -eq 0 ]
    [ "$(said best)" = "x=1 y=1" ]
    [ "$(said trials)" = "12 of 12 configurations (100 %): 8 ok, 0 invalid, 4 failed, 0 hanging" ]
    [ "$(sort "$scratch/builds" | tr -d '\n')" = 123 ]
    [ "$(sh -c "$(said command)")" = "t: 1.1" ]
    # What is built in one place is built again when another one was built there since.
    run_apart "$bin/tuner" "${arguments[@]}" --build "echo 'echo t: {x}.\$1' >$scratch/one" --command "sh $scratch/one {y}"
    [ "$(said best)" = "x=1 y=1" ]
    [[ $output == *"1.1 s (extremes 1.1 s to 1.1 s, measured 2 times more)"* ]]
    sh -c "$(said build)" && [ "$(sh -c "$(said command)")" = "t: 1.1" ]
}

@test "outcomes of a command are counted, and a search without any success fails with the reason" {
    printf 'integer x 1 4\n' >"$scratch/few.space"
    run_apart "$bin/tuner" --space "$scratch/few.space" --strategy exhaustive --limit 3s --runs 1 --confirm 0 \
        --command 'case {x} in 1) exit 1;; 2) sleep 99;; 3) echo t: x;; *) echo t: 0.5;; esac' --time-prefix t:
    [ "$status" -eq 0 ]
    [ "$(said trials)" = "4 of 4 configurations (100 %): 1 ok, 0 invalid, 2 failed, 1 hanging" ]
    [ "$(said best)" = "x=4" ]
    run_apart "$bin/tuner" --space "$scratch/few.space" --strategy exhaustive --command 'exit {x}' -q
    [ "$status" -eq 1 ]
    [ -z "$output" ]
    [[ $stderr == "RESULT: FAIL none of the 4 configurations tried was ok: 0 invalid, 4 failed, 0 hanging; "*"exit code 4" ]]
}

@test "stderr of a command is dropped, or shown with -v" {
    printf 'integer x 1 2\n' >"$scratch/few.space"
    run_apart "$bin/tuner" --space "$scratch/few.space" --command 'echo noise-{x}; echo noise-{x} >&2' -q --confirm 0
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [[ $(grep -v ^command <<<"$output") != *noise-* ]]
    run_apart "$bin/tuner" --space "$scratch/few.space" --command 'echo noise-{x} >&2' -q -v --confirm 0
    [[ $stderr == *noise-2* ]]
}

@test "a kernel is tuned over all thread blocks, or over a space" {
    run_apart "$bin/tuner" --kernel mvt --dataset tiny --trials 12 --runs 3 --confirm 6
    [ "$status" -eq 0 ]
    [[ $(said best) == bx=*by=* ]]
    [[ $(said trials) == "12 of 7262 configurations "*": 12 ok, "* ]]
    [[ $output == *"95 % interval"* ]]
    printf 'values bx 1024\nvalues by 1 2\n' >"$scratch/two.space"
    run_apart "$bin/tuner" --kernel gemm --dataset tiny --space "$scratch/two.space" --confirm 0
    [ "$status" -eq 0 ]
    [ "$(said best)" = "bx=1024 by=1" ]
    [ "$(said trials)" = "2 of 2 configurations (100 %): 1 ok, 1 invalid, 0 failed, 0 hanging" ]
}

@test "without a GPU a kernel is waived, a table is not" {
    [ "${GPU:-soft}" = soft ] || skip "SOFTGPU_DEVICES is the software GPU's"
    printf 'x,time_s\n1,2\n' >"$scratch/table.csv"
    SOFTGPU_DEVICES=0 run_apart "$bin/tuner" --kernel gemm --dataset tiny
    [ "$status" -eq 2 ]
    [[ $stderr == "RESULT: WAIVED no GPU was found"* ]]
    SOFTGPU_DEVICES=0 run_apart "$bin/tuner" --replay "$scratch/table.csv"
    [ "$status" -eq 0 ]
}

@test "a search goes on from its log and runs nothing twice" {
    local arguments=(--space "$scratch/grid.space" --command "echo {x} {y} >>$scratch/runs; $valley"
        --time-prefix t: --runs 1 --confirm 0 --seed 5 --log "$scratch/log.csv")
    run_apart "$bin/tuner" "${arguments[@]}" --strategy random --trials 20
    [ "$status" -eq 0 ]
    printf '9,9,o' >>"$scratch/log.csv"
    run_apart "$bin/tuner" "${arguments[@]}" --strategy random --trials 30
    [ "$status" -eq 0 ]
    [[ $stderr == *"log.csv: the last line was cut off and is dropped"* ]]
    [[ $stderr == *"log.csv: 20 configurations are known"* ]]
    [[ $(said trials) == "30 of "*"; 20 from the log" ]]
    [ "$(wc -l <"$scratch/runs")" -eq 30 ]
    [ "$(sort -u "$scratch/runs" | wc -l)" -eq 30 ]
    [ "$(wc -l <"$scratch/log.csv")" -eq 31 ]
    # The log is a table that can be replayed.
    run_apart "$bin/tuner" --replay "$scratch/log.csv" --strategy exhaustive
    [ "$status" -eq 0 ]
    [[ $(said trials) == "30 of 30 configurations "* ]]
}

@test "a log is the state: its best counts, and another strategy starts from all of it" {
    local arguments=(--space "$scratch/grid.space" --command "$valley" --time-prefix t: --runs 1 --confirm 0
        --log "$scratch/log.csv" -q)
    run_apart "$bin/tuner" "${arguments[@]}" --strategy exhaustive --trials 130 # 7, 3 is among them
    best=$(said best)
    [ "$best" = "x=7 y=3" ]
    for strategy in auto random annealing genetic local guided iterml; do
        run_apart "$bin/tuner" "${arguments[@]}" --strategy "$strategy" --trials 100
        [ "$status" -eq 0 ]
        [ "$(said best)" = "$best" ]
        [[ $(said trials) == "130 of "*"; 130 from the log" ]]
    done
    run_apart "$bin/tuner" "${arguments[@]}" --strategy genetic --trials 140
    [ "$(said best)" = "$best" ]
    [[ $(said trials) == "140 of "*"; 130 from the log" ]]
    [ "$(sort -u "$scratch/log.csv" | wc -l)" -eq 141 ]
}

@test "what was measured elsewhere is tried first" {
    local arguments=(--space "$scratch/grid.space" --time-prefix t: --runs 1 --confirm 0)
    run_apart "$bin/tuner" "${arguments[@]}" --command "$valley" --strategy random --trials 150 --log "$scratch/there.csv" -q
    there=$(said best)
    run_apart "$bin/tuner" "${arguments[@]}" --command "$valley; #" --trials 1 --from "$scratch/there.csv"
    [ "$status" -eq 0 ]
    [ "$(said best)" = "$there" ]
    [[ $stderr == *"there.csv: 150 of "*" configurations were measured there"* ]]
    printf 'a,time_s\n1,1\n' >"$scratch/other.csv"
    refuses "its parameter a is not in the space" "$bin/tuner" "${arguments[@]}" --command "$valley" --from "$scratch/other.csv"
    printf 'x,time_s\n99,1\n' >"$scratch/other.csv"
    refuses "it has no configuration of the space" "$bin/tuner" "${arguments[@]}" --command "$valley" --from "$scratch/other.csv"
    refuses "cannot be combined with the strategy local" "$bin/tuner" "${arguments[@]}" --command "$valley" --strategy local --from "$scratch/there.csv"
}

# KILLS: how often, 100 for more than an impression.
@test "a search that is killed at any moment loses at most the trial that was running" {
    local kills=${KILLS:-10} arguments=(--space "$scratch/grid.space" --command "echo {x} {y} >>$scratch/runs; $valley"
        --time-prefix t: --runs 1 --confirm 0 --log "$scratch/log.csv" --strategy local -q)
    for ((i = 0; i < kills; i++)); do
        "$bin/tuner" "${arguments[@]}" --trials 400 >"$scratch/out" 2>&1 &
        sleep "0.0$((RANDOM % 90 + 10))"
        kill -KILL $! 2>/dev/null || true
        wait $! || true
        ! grep FAIL "$scratch/out"
    done
    sleep 0.2 # the last command may outlive its tuner
    run_apart "$bin/tuner" "${arguments[@]}" --trials 400
    [ "$status" -eq 0 ]
    [ "$(said best)" = "x=7 y=3" ]
    rows=$(tail -n +2 "$scratch/log.csv" | cut -d , -f 1,2 | sort -u | wc -l)
    [ "$rows" -eq "$(($(wc -l <"$scratch/log.csv") - 1))" ]
    [[ $(said trials) == "$rows of "* ]]
    echo "$rows trials, $(wc -l <"$scratch/runs") commands, $kills kills"
    [ "$(wc -l <"$scratch/runs")" -le $((rows + kills)) ]
}

@test "a log of another space or command is refused and not changed" {
    run_apart "$bin/tuner" --space "$scratch/grid.space" --command 'true {x}' --trials 3 --confirm 0 --log "$scratch/log.csv"
    [ "$status" -eq 0 ]
    cp "$scratch/log.csv" "$scratch/before.csv"
    run_apart "$bin/tuner" --space "$scratch/grid.space" --command 'true {y}' --trials 3 --log "$scratch/log.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"a trial of 'true {x}', not of 'true {y}'"* ]]
    printf 'integer x 1 20\n' >"$scratch/other.space"
    run_apart "$bin/tuner" --space "$scratch/other.space" --command 'true {x}' --trials 3 --log "$scratch/log.csv"
    [ "$status" -eq 1 ]
    [[ $stderr == *"not a log of this space"* ]]
    cmp "$scratch/log.csv" "$scratch/before.csv"
}

@test "a budget ends the search" {
    run_apart "$bin/tuner" --space "$scratch/grid.space" --command 'sleep 0.1' --runs 1 --strategy random --budget 2s --confirm 0
    [ "$status" -eq 0 ]
    tried=$(said trials | cut -d ' ' -f 1)
    echo "$output"
    [ "$tried" -ge 2 ]
    [ "$tried" -le 20 ]
    write_table >"$scratch/table.csv" # all times are at least 1 s
    run_apart "$bin/tuner" --replay "$scratch/table.csv" --strategy random --budget 1m
    tried=$(said trials | cut -d ' ' -f 1)
    [ "$tried" -ge 2 ]
    [ "$tried" -le 60 ]
}

@test "SIGINT ends the search with what is known" {
    "$bin/tuner" --space "$scratch/grid.space" --command "echo x >>$scratch/runs; sleep 0.2" --runs 1 \
        --strategy random --budget 60s >"$scratch/out" 2>"$scratch/err" &
    for _ in {1..600}; do
        [ "$(wc -l 2>/dev/null <"$scratch/runs")" -ge 2 ] && break
        sleep 0.05
    done
    kill -INT $!
    wait $!
    output=$(cat "$scratch/out")
    echo "$output"
    [[ $(said search) == *"; interrupted by a signal" ]]
    [[ $(said best) == x=* ]]
    [[ $(said trials) != "0 of"* ]]
}

@test "SIGINT twice ends it at once, and the command with it" {
    "$bin/tuner" --space "$scratch/grid.space" --command "echo \$\$ >$scratch/begun; sleep 60; touch $scratch/alive" --runs 1 \
        >"$scratch/out" 2>"$scratch/err" &
    for _ in {1..600}; do
        [ -s "$scratch/begun" ] && break
        sleep 0.05
    done
    # Two that come before the first is heard are one.
    for _ in {1..100}; do
        kill -INT $! 2>/dev/null || break
        sleep 0.1
    done
    status=0
    wait $! || status=$?
    [ "$status" -eq 130 ]
    [ ! -s "$scratch/out" ]
    for _ in {1..100}; do
        [ -d "/proc/$(cat "$scratch/begun")" ] || break
        sleep 0.1
    done
    [ ! -d "/proc/$(cat "$scratch/begun")" ]
    [ ! -e "$scratch/alive" ]
}
