# tuner --objective: several quantities that are minimised, and the Pareto front of what was tried.

load helper

setup() {
    need_program tuner
    cd "$scratch" || exit 1
    printf 'integer x 1 9\ninteger y 1 9\n' >grid.space
}

# Time is least at 2, 3, energy at 6, 5; where x is 9 the command prints none.
# shellcheck disable=SC2016
command='[ {x} = 9 ] || echo "energy: $(( 1 + ({x}-6)*({x}-6) + ({y}-5)*({y}-5) )) J"; echo "t: $(( 1 + ({x}-2)*({x}-2) + ({y}-3)*({y}-3) ))"'

search() {
    run_apart "$bin/tuner" --space grid.space --command "$command" --time-prefix t: --runs 1 --confirm 0 -q "$@"
}

@test "the front is what no trial beats, and both ends of it are found" {
    search --objective energy --strategy exhaustive --log log.csv --report page
    [ "$status" -eq 0 ]
    # By definition, from the log.
    awk -F, 'NR > 1 && $3 == "ok" { n++; c[n] = "x=" $1 " y=" $2; t[n] = $4; e[n] = $NF }
        END { for (i = 1; i <= n; i++) { beaten = 0
            for (j = 1; j <= n; j++) beaten += t[j] <= t[i] && e[j] <= e[i] && (t[j] < t[i] || e[j] < e[i])
            if (!beaten) print t[i] " s " e[i] " " c[i] } }' log.csv | sort -g >front
    [ "$(wc -l <front)" -gt 4 ]
    diff front <(sed -n 's/^ \{12\}\([0-9.]* s\) *\([0-9.]*\) *\(x=.*\)/\1 \2 \3/p' <<<"$output" | sort -g)
    [[ $output == *"front       $(wc -l <front) of 72 that were ok"*" 72 ok, 0 invalid, 9 failed"* ]]
    [ "$(awk -F, '$3 == 1' page/front.csv | wc -l)" -eq "$(wc -l <front)" ]
    grep -q 'front.csv' page/index.html
    search --objective energy --objective time --trials 45 --seed 2
    [[ $output == *"1 s           21            x=2 y=3"*"21 s          1             x=6 y=5"* ]]
}

@test "a log keeps all objectives, is gone on from, and replayed" {
    search --objective energy --trials 12 --log log.csv
    search --objective energy --trials 20 --log log.csv
    [ "$status" -eq 0 ]
    [[ $output == *"12 from the log"* ]]
    [ "$(wc -l <log.csv)" -eq 21 ]
    head -n 1 log.csv | grep -q 'oracle,objective:energy$'
    run_apart "$bin/tuner" --replay log.csv -q --strategy exhaustive
    [ "$status" -eq 0 ]
    [[ $output == *"best        x="*" y="* && $output != *energy* ]]
    search --trials 30 --log log.csv
    [[ $status -eq 1 && $stderr == *"is not a log of this space"* ]]
    sed 's/,[0-9]*$/,0/' log.csv >zero.csv
    search --objective energy --log zero.csv
    [[ $status -eq 1 && $stderr == *"this is not a trial"* ]]
}

@test "objectives that are not there, and names that are none" {
    search --objective power --trials 6
    [[ $status -eq 1 && $stderr == *"6 failed"*"no line that begins with power:, followed by a number above 0"* ]]
    while IFS='|' read -r options expected; do
        eval "search $options"
        [[ $status -eq 1 && $stderr == *"$expected"* ]]
    done <<'TABLE'
--objective 'a b'|no name of letters
--objective ''|no name of letters
--objective e --objective e|given twice
--objective a --objective b --objective c --objective d|more than 3 beside the time
--objective e --maximize|cannot be combined with several objectives
TABLE
    printf 'extern "C" __global__ void k(int *o) { *o = 1; }\n' >k.cu
    printf 'values b 1 2\n' >k.space
    refuses "unknown objective 'power' of --cuda; choose from time, energy" "$bin/tuner" --cuda k.cu --name k --space k.space --args 'out int[1]' \
        --grid 1 --block b --objective power
    printf 'x,time_s\n1,2\n' >table.csv
    refuses "--objective cannot be combined with --replay" "$bin/tuner" --replay table.csv --objective energy
}
