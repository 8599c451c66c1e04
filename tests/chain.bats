# The chain from programs to the report, at scale smoke, and that it can be killed at any moment: make test-chain.

load recorded

setup() {
    cd "$BATS_TEST_DIRNAME/.."
    export GPU=${GPU:-soft}
}

# A copy of the tree with what was built, so that measuring starts at once.
copy_tree() {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir "$tree"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$tree" 2>/dev/null || true
    mkdir "$tree/build"
    cp -a "build/$GPU" build/tools build/libraries* "$tree/build/"
    cd "$tree"
    # The copy is no checkout of its own: the commit stamp is `unknown` there.
}

# The measured files, without the verdicts on them, and without what a killed experiment left in its own folder.
measured() {
    find results/local -maxdepth 1 -name '*.csv' ! -name verdicts.csv | sort
}

@test "make reproduce at scale smoke: from programs to the report, and a second time nothing is measured" {
    judge_recorded
    copy_tree
    (cd "$BATS_TEST_DIRNAME/.." && cp -a --parents results/*/results.db results/*/verdicts.csv "$tree")
    rm -rf results/local
    run timeout 1800 make reproduce SCALE=smoke FORMATS=svg # a PNG has the same source and another terminal
    echo "$output" | tail -n 40
    [ "$status" -eq 0 ]
    mapfile -t ids < <(run/manifest ids)
    for id in "${ids[@]}"; do
        [ -s "results/local/$id.csv" ]
    done
    # jq takes a while to start.
    [ "$(jq -r '.status | strings' $(printf 'results/local/%s.json ' "${ids[@]}") | wc -l)" -eq ${#ids[@]} ]
    for figure in plots/*-fig-*.gp; do
        figure=$(basename "$figure" .gp)
        [ -s "results/local/figures/$figure.svg" ]
        [ ! -e "results/local/figures/$figure.png" ]
    done
    for table in plots/*-tab-*.sql; do
        [ -s "results/local/tables/$(basename "$table" .sql).txt" ]
    done
    [ -s results/local/report.html ]
    # Every claim of the ledger has a verdict; pinning's are judged.
    claims=$(cat claims/*/claims.tsv | grep -c -- '-c-[0-9]')
    [ "$(sqlite3 results/local/results.db 'SELECT count(*) FROM verdicts')" -eq "$claims" ]
    judged=$(sqlite3 results/local/results.db "SELECT count(*) FROM verdicts JOIN claims USING (id)
        WHERE dir = 'pinning' AND verdict IN ('reproduced', 'not reproduced', 'ambiguous')")
    [ "$judged" -gt 20 ]

    stat -c '%n %Y' $(measured) >before
    run timeout 600 make reproduce SCALE=smoke FORMATS=svg
    [ "$status" -eq 0 ]
    stat -c '%n %Y' $(measured) | diff before -

    # An untouched machine is not slower than itself.
    cp -r results/local results/twin
    run make -s regress REF=results/twin
    [ "$status" -eq 0 ]
}

@test "killed at any moment, make loses at most the running experiment" {
    copy_tree
    # Those that take a second: the test above measures the others.
    mapfile -t ids < <(run/manifest ids pinning | grep -vxE 'pinning_(copy|cache|transfers)')
    [ ${#ids[@]} -ge 5 ]
    # At once, and when something has been measured.
    for wanted in 0 1; do
        setsid make "${ids[@]}" SCALE=smoke >log 2>&1 &
        group=$!
        sleep 0.7
        for ((tries = 0; tries < 600; tries++)); do
            [ "$(measured 2>/dev/null | wc -l)" -lt "$wanted" ] || break
            sleep 0.1
        done
        kill -KILL -- "-$group" 2>/dev/null || true
        wait "$group" || true
        [ ! -e results/local/.measuring ] || flock -w 60 results/local/.measuring true # its programs have ended, too
        # Whatever is there under its own name is complete.
        for csv in results/local/*.csv; do
            [ -e "$csv" ] || continue
            jq -e .status "${csv%.csv}.json" >/dev/null
            [ "$(tail -c 1 "$csv" | od -An -tx1)" = ' 0a' ]
        done
    done
    stat -c '%n %Y' $(measured) >before 2>/dev/null || true
    [ -s before ]
    run timeout 400 make "${ids[@]}" SCALE=smoke
    echo "$output" | tail -n 40
    [ "$status" -eq 0 ]
    # What had been measured before the kill was not measured again.
    while read -r name time; do
        [ "$(stat -c %Y "$name")" = "$time" ]
    done <before
    [ -z "$(find results/local -name '*partial*')" ]
}
