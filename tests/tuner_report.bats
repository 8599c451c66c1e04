# tuner --report: a page of a search, its figures and their data.

load helper

setup() {
    need_program tuner
    cd "$scratch" || exit 1
    # The time depends on x, a little on how, and not on z.
    {
        echo x,how,z,time_s
        for x in 1 2 4 8 16 32; do
            for how in 'a<b' "it's"; do
                for z in 1 2 3 4; do
                    slower=$([ "$how" = 'a<b' ] && echo 0 || echo 1)
                    echo "$x,$how,$z,$((x * 10 + slower))"
                done
            done
        done
    } >table.csv
}

# importance NAME
importance() {
    sed -n "s/^$1,//p" page/importance.csv
}

@test "a page has the best configuration, convergence, importance and effects, and the figures" {
    command -v gnuplot >/dev/null || skip "gnuplot is missing"
    run_apart "$bin/tuner" --replay table.csv --strategy random --trials 40 --log log.csv --report page -q
    [ "$status" -eq 0 ]
    xmllint --noout page/*.svg
    [ "$(ls page/*.svg | wc -l)" -eq 3 ]
    grep -q '<td>how<td>a&lt;b<td>' page/index.html
    ! grep -q 'a<b' page/index.html
    awk "BEGIN { exit !($(importance x) > 0.8 && $(importance z) < 0.05 && $(importance how) < $(importance x)) }"
    # The effect falls with x.
    grep '^x,' page/effects.csv | cut -d, -f3 >speeds
    [ "$(wc -l <speeds)" -eq 6 ]
    sort -c -gr speeds
    # Convergence is the log, in its order.
    diff <(tail -n +2 page/convergence.csv | cut -d, -f3) <(tail -n +2 log.csv | cut -d, -f5)
    [ "$(tail -n 1 page/convergence.csv | cut -d, -f4)" = 10 ]
    # The same from the log alone, whose order is kept.
    run_apart "$bin/tuner" --replay table.csv --strategy local --trials 40 --log log.csv --report again -q
    diff page/convergence.csv again/convergence.csv
}

@test "a page without gnuplot says so; with too few trials it has no importance" {
    mkdir empty
    run_apart env PATH="$scratch/empty" "$bin/tuner" --replay table.csv --strategy random --trials 3 --report page -q
    [ "$status" -eq 0 ]
    grep -q 'gnuplot is missing' page/index.html
    ! grep -q importance page/index.html
    [ ! -e page/importance.csv ]
    [ "$(wc -l <page/convergence.csv)" -eq 4 ]
}

@test "a page that cannot be written is an error" {
    : >file
    for folder in file missing/page; do
        run_apart "$bin/tuner" --replay table.csv --trials 5 --report "$folder" -q
        [ "$status" -eq 1 ]
        [[ $stderr == *"--report: $folder"* ]]
    done
}
