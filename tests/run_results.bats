#!/usr/bin/env bats
# The tools of run/ that read results: collect, sql, check, regress, report. RUN_LONG=1: more damaged files, more comparisons.
# shellcheck disable=SC2086,SC2164,SC2010,SC2012,SC2143,SC2016,SC2059
# The paths here have no blanks, and bats stops at a failed command.
bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash

@test "collect: rows, medians, configurations, ledger, published tables" {
    measure demo_copy demo_cuda
    run -0 run/collect $R
    [ "$(query 'SELECT count(*), sum(time_s IS NULL) FROM demo_copy')" = '14 0' ]
    [ "$(query 'SELECT variant, gpu, size_bytes, n, time_s, time_low_s, time_high_s, errors FROM demo_copy_median')" = \
        $'slow soft 1024 7 0.002 0.0019 0.0022 0\nfast soft 1024 7 0.001 0.0009 0.0011 0' ]
    [ "$(query 'SELECT experiment, parameters, n, n_effective, halves_separate, median_s FROM configurations LIMIT 1')" = \
        'demo_copy size_bytes=1024 7 7.0 0 0.002' ]
    [ "$(query "SELECT id, dir, status, gpu, host, version, commit_id, dirty, cores FROM experiments WHERE status = 'PASS'")" = \
        'demo_copy alpha PASS soft testhost 1.0 abc1234 0 3' ]
    [ "$(query 'SELECT count(*), sum(status IS NULL) FROM experiments')" = '6 4' ]
    [ "$(query 'SELECT count(*) FROM claims')" = 7 ]
    [ "$(query "SELECT check_text FROM claims WHERE id = 'demo-c-1'")" = 'fast < slow' ]
    [ "$(query 'SELECT note FROM demo_tab_1_1')" = 'with "quotes", and a comma' ]
    [ "$(query "SELECT value FROM machine WHERE name = 'device0_name'")" = 'software GPU' ]
    [ "$(query 'SELECT experiment FROM waived')" = demo_cuda ]
    [ "$(query 'SELECT count(*) FROM demo_cuda_median')" = 0 ]
}

@test "collect: does nothing when nothing changed, and sees every change" {
    mkdir -p $R
    run -0 run/collect $R
    [ "$(query "SELECT count(*) FROM experiments")" = 6 ]
    measure demo_copy demo_slow
    run -0 run/collect $R
    local inode
    inode=$(stat -c %i-%Y $R/results.db)
    touch $R/unknown.txt $R/verdicts.csv
    run -0 run/collect $R
    [ "$(stat -c %i-%Y $R/results.db)" = "$inode" ]
    sed -i 's/1e-3/3e-3/' $R/demo_slow.csv
    run -0 run/collect $R
    [ "$(query 'SELECT time_s FROM demo_slow')" = 0.003 ]
    rm $R/demo_slow.csv
    run -0 run/collect $R
    run -1 query 'SELECT time_s FROM demo_slow'
    printf 'demo-fig-1-9\tline\tt\talpha\t-\t-\t-\t-\t-\t-\t-\t-\n' >>claims/demo/figures.tsv
    run -0 run/collect $R
    [ "$(query "SELECT count(*) FROM figures")" = 5 ]
    echo garbage >$R/results.db
    run -0 run/collect $R
    [ "$(query "SELECT count(*) FROM figures")" = 5 ]
    local pids=()
    for _ in 1 2 3 4; do
        touch $R/demo_copy.json
        run/collect $R 3>&- &
        pids+=($!)
    done
    wait "${pids[@]}"
    [ "$(query 'SELECT count(*) FROM demo_copy')" = 14 ]
    [ -z "$(ls -A $R | grep unfinished)" ]
}

@test "collect: whole numbers of a metric divide like real ones, texts and parameters stay as they are written" {
    local csv=$R/demo_copy.csv
    measure demo_copy
    awk -F, -v OFS=, 'NR > 1 { $10 = NR == 2 ? "" : NR; $11 = NR } 1' $csv >changed && mv changed $csv
    run -0 run/collect $R
    [ "$(query 'SELECT bandwidth_gbs / 2, time_s / 2, size_bytes / 1000, errors FROM demo_copy WHERE rowid = 2')" = '1.5 1.5 1 0' ]
    [ "$(query 'SELECT count(*), count(bandwidth_gbs) FROM demo_copy')" = '14 13' ]
    [ "$(query "SELECT bandwidth_gbs FROM demo_copy_median WHERE variant = 'slow'")" = 5.5 ]
    for text in none '2.6 GHz' 1e 0x10; do
        awk -F, -v OFS=, -v text="$text" 'NR == 15 { $10 = text } 1' $csv >changed && mv changed $csv
        run -0 run/collect $R
        [ "$(query 'SELECT bandwidth_gbs FROM demo_copy WHERE rowid IN (2, 14)')" = $'3\n'"$text" ]
    done
}

@test "collect: a recorded machine stands beside as the partner" {
    measure demo_copy demo_slow
    mkdir -p results/other
    cp $R/demo_copy.json $R/demo_copy.csv results/other
    sed -i 's/1e-3/5e-3/' results/other/demo_copy.csv
    run -0 run/collect $R
    [ "$(query "SELECT value FROM partner_machine WHERE name = 'directory'")" = other ]
    [ "$(query "SELECT time_s FROM partner_demo_copy_median WHERE variant = 'fast'")" = 0.005 ]
    [ "$(query "SELECT time_s FROM demo_copy_median WHERE variant = 'fast'")" = 0.001 ]
    [ "$(query "SELECT count(*) FROM configurations WHERE experiment = 'demo_copy'")" = 2 ]
    [ "$(query 'SELECT count(*) FROM demo_slow') $(query 'SELECT count(*) FROM partner_demo_slow')" = '1 0' ]
    [ "$(query "SELECT count(*) FROM experiments WHERE status = 'PASS'")" = 2 ]
    sed -i 's/5e-3/7e-3/' results/other/demo_copy.csv
    run -0 run/collect $R
    [ "$(query "SELECT time_s FROM partner_demo_copy_median WHERE variant = 'fast'")" = 0.007 ]
    sed -i 's/size_bytes/size_kbytes/' results/other/demo_copy.csv results/other/demo_copy.json
    run -0 run/collect $R
    [ "$(query 'SELECT count(*) FROM partner_demo_copy_median')" = 0 ]
    PARTNER=none run -0 run/collect $R
    [ "$(query 'SELECT count(*) FROM partner_machine')" = 0 ]
    # A machine of another class is no second one: by itself it is passed over, and asked for it is an error.
    sed -i 's/"gpu": "soft"/"gpu": "cuda"/' results/other/demo_copy.json
    run -0 run/collect $R
    [ "$(query 'SELECT count(*) FROM partner_machine')" = 0 ]
    PARTNER=results/other fails_with 'PARTNER=results/other: its GPU is not of the same class as that of' run/collect $R
    PARTNER=results/nono fails_with 'PARTNER=results/nono: it holds no results of a recorded machine' run/collect $R
}

@test "check: what cannot fall is shown, and what rests on another machine says so" {
    measure demo_copy
    sed -i '/^demo-c-1\t/s/\tshape\t/\tarithmetic\t/; /^demo-c-2\t/s/\tshape\t/\tquoted\t/' claims/demo/claims.tsv
    mkdir -p results/other
    cp $R/demo_copy.json $R/demo_copy.csv results/other
    cat >claims/demo/demo-alpha.sql <<'SQL'
SELECT 'demo-c-6', 2.0 * (SELECT count(*) FROM demo_copy) / (SELECT count(*) FROM partner_demo_copy), NULL, NULL, '';
SQL
    run/collect $R
    run -0 run/check $R
    says '1 of these verdicts (1 reproduced) rest on data of other as well'
    [ "$(query "SELECT id, verdict, reason, rests_on FROM verdicts WHERE id IN ('demo-c-1', 'demo-c-2', 'demo-c-6')")" = \
        $'demo-c-1 shown the numbers agree \ndemo-c-2 shown the numbers differ \ndemo-c-6 reproduced  other' ]
    [ "$(query "SELECT count(*) FROM verdicts WHERE verdict = 'reproduced'")" = 1 ]
    sed -i 's/\tquoted\t/\tcited\t/' claims/demo/claims.tsv
    fails_with "kind 'cited' is not exact, shape, value, arithmetic or quoted" run/collect $R
}

@test "collect: a packed CSV is read like a plain one" {
    measure demo_copy
    gzip $R/demo_copy.csv
    run -0 run/collect $R
    [ "$(query 'SELECT count(*) FROM demo_copy')" = 14 ]
    head -c 100 $R/demo_copy.csv.gz >part.gz && mv part.gz $R/demo_copy.csv.gz
    fails_with 'demo_copy.csv.gz:' run/collect $R
    says 'damaged or cut off'
}

@test "collect: each wrong CSV is named with file and line, and no data base is left" {
    local csv=$R/demo_copy.csv
    measure demo_copy
    cp $csv good.csv
    while IFS='|' read -r change message; do
        sed "$change" good.csv >$csv
        run -1 run/collect $R
        says "$message"
        [ ! -e $R/results.db ]
    done <<'CASES'
4s/,pass$//|demo_copy.csv:4: there are 12 fields, the header has 13
5s/$/,x/|demo_copy.csv:5: there are 14 fields
3s/slow/sl"ow/|demo_copy.csv:3: a quote stands inside
3s/slow/"slow"x/|demo_copy.csv:3: text follows a closing quote
3s/slow/"slow/|demo_copy.csv:3: a quote is opened and never closed
1s/variant/version/|demo_copy.csv:1: column 2 is 'version' and must be 'variant'
1s/status/verdict/|demo_copy.csv:1: column 13 is 'verdict' and must be 'status'
1s/size_bytes/size/|demo_copy.csv:1: the JSON document has column 'size_bytes' where the header has 'size'
1s/size_bytes,//|demo_copy.csv:1: the JSON document has column 'size_bytes'
2s/0.000512/NaN/|demo_copy.csv:2: 'NaN' is not a number
2s/0.000512/-inf/|demo_copy.csv:2: '-inf' is not a number
2s/,2e-3,/,nan,/|demo_copy.csv:2: time_s 'nan' is not a time
2s/,2e-3,/,-1,/|demo_copy.csv:2: time_s '-1' is not a time
2s/,2e-3,/,0x1p3,/|demo_copy.csv:2: time_s '0x1p3' is not a time
2s/testhost,0/testhost,-1/|demo_copy.csv:2: rank '-1' is not a whole number
2s/,0,pass/,3,pass/|demo_copy.csv:2: status is pass with 3 errors
2s/pass/good/|demo_copy.csv:2: status 'good'
2s/pass/"go\x07\nod"/|demo_copy.csv:2: status 'go??od' is not
2s/pass/waived/|demo_copy.csv:2: a waived row has the value '1024'
2s/demo_copy/demo_other/|demo_copy.csv:2: experiment is 'demo_other'
6s/.*//|demo_copy.csv:6: the line is empty
2s/slow/s\x00low/|demo_copy.csv:2: there is a zero byte
2s/slow/s\rlow/|demo_copy.csv:2: a carriage return does not end the line
3p|demo_copy.csv:4: the same configuration and repetition is there twice
2,$d|demo_copy.csv:1: no rows
1,$d|demo_copy.csv:1: the file is empty
CASES
    head -c -3 good.csv >$csv
    fails_with 'demo_copy.csv:15: the last line has no end' run/collect $R
    sed 's/$/\r/' good.csv >$csv
    run -0 run/collect $R
}

@test "collect: each wrong JSON document is named" {
    local json=$R/demo_copy.json
    measure demo_copy
    cp $json good.json
    while IFS='|' read -r change message; do
        sed "$change" good.json >$json
        fails_with "$message" run/collect $R
    done <<'CASES'
1s/{/[/|demo_copy.json: is not valid JSON
s/"schema_version": 1/"schema_version": 2/|schema_version must be 1
s/"experiment": "demo_copy"/"experiment": "other"/|meta.experiment must be demo_copy
s/"status": "PASS"/"status": "GOOD"/|status must be PASS
s/"columns"/"rows"/|columns must be an array
s/"kind": "metric"/"kind": "colour"/|is a 'colour', which is not parameter or metric
1s/{/{\x00/|has a zero byte
CASES
    rm $json
    fails_with 'demo_copy.json: is missing' run/collect $R
}

@test "collect: no damaged byte makes it crash" {
    measure demo_copy
    cp $R/demo_copy.csv good.csv
    local size i trials=20
    [ -z "${RUN_LONG:-}" ] || trials=60
    size=$(wc -c <good.csv)
    RANDOM=7
    for ((i = 0; i < trials; i++)); do
        cp good.csv $R/demo_copy.csv
        printf "\\x$(printf %02x $((RANDOM % 256)))" |
            dd of=$R/demo_copy.csv bs=1 seek=$((RANDOM % size)) conv=notrunc 2>/dev/null
        run run/collect $R
        [ "$status" -le 1 ]
        [ "$status" -eq 0 ] || says 'demo_copy.csv:'
    done
}

@test "collect: a wrong ledger is named with file and line" {
    mkdir -p $R
    local claims=claims/demo/claims.tsv
    cp $claims good.tsv
    sed '3s/shape/form/' good.tsv >$claims
    fails_with "claims.tsv:3: kind 'form'" run/collect $R
    sed '3s/demo-c-2/demo-c-1/' good.tsv >$claims
    fails_with "claims.tsv:3: claim 'demo-c-1' is there already" run/collect $R
    sed '4s/\tmedian time//' good.tsv >$claims
    fails_with 'claims.tsv:4: there are 12 fields, the header has 13' run/collect $R
    sed '1s/figure/fig/' good.tsv >$claims
    fails_with "claims.tsv:1: column 2 of the header must be 'figure'" run/collect $R
    cp good.tsv $claims
    echo 'a,b' >>claims/demo/tables/demo-tab-1-1.csv
    fails_with 'demo-tab-1-1.csv:3: there are 2 fields, the header has 3' run/collect $R
}

@test "collect: starts of a program that differ make intervals wider, and are told" {
    STARTS=6 run/experiment demo_copy 2>/dev/null
    run -0 run/collect $R
    [[ $output != *warning* ]]
    query "SELECT time_high_s / time_low_s FROM demo_copy_median" >alike
    awk -F, -v OFS=, 'NR > 1 && $2 == "fast" { $12 *= 1 + 0.5 * ($9 % 3) } 1' $R/demo_copy.csv >changed && mv changed $R/demo_copy.csv
    run -0 run/collect $R
    says '1 of the 2 configurations that were measured in several starts differ from start to start, most of them in demo_copy'
    [ "$(query 'SELECT variant, starts_differ FROM demo_copy_median')" = $'slow 0\nfast 1' ]
    [ "$(query "SELECT time_low_s < 0.0011 AND time_high_s > 0.0019 AND n_effective < 12 FROM demo_copy_median WHERE variant = 'fast'")" = 1 ]
    [ "$(query "SELECT time_high_s / time_low_s FROM demo_copy_median WHERE variant = 'slow'")" = "$(head -n 1 alike)" ]
    # Queries that order by rep see the starts, paired ones too.
    [ "$(query "SELECT interval_low(time_s, rep) = (SELECT time_low_s FROM demo_copy_median WHERE variant = 'fast'), starts_differ(time_s, rep)
                FROM demo_copy WHERE variant = 'fast'")" = '1 1.0' ]
    [ "$(query "SELECT ratio_high(a.time_s, b.time_s, a.rep) / ratio_low(a.time_s, b.time_s, a.rep) > 1.5
                FROM demo_copy a JOIN demo_copy b USING (rep) WHERE a.variant = 'fast' AND b.variant = 'slow'")" = 1 ]
    cp $R/demo_copy.csv good.csv
    while IFS='|' read -r change message; do
        sed "$change" good.csv >$R/demo_copy.csv
        fails_with "demo_copy.csv:$message" run/collect $R
    done <<'CASES'
2s/,0,0,1024/,0,x,1024/|2: start 'x' is not a whole number
2s/,0,0,1024/,0,1000000000,1024/|2: start 1000000000 must be below 1000000000
2s/,0,0,1024/,1000000000,0,1024/|2: rep 1000000000 must be below 1000000000
16s/,0,1,1024/,0,0,1024/|16: the same configuration and repetition is there twice
CASES
}

@test "statistics in SQL have known values" {
    mkdir -p $R
    run/collect $R
    [ "$(query 'SELECT median(value) FROM generate_series(1, 9)')" = 5.0 ]
    # 10 samples: the 2nd and the 9th are the tightest pair of at least 95 % (97.9 %).
    local mixed="FROM (SELECT value, value * 7 % 11 AS x FROM generate_series(1, 10))"
    [ "$(query "SELECT median(x), interval_low(x, x * 3 % 11), interval_high(x, x * 3 % 11), n_effective(x, x * 3 % 11) $mixed")" = '5.5 2.0 9.0 10.0' ]
    # In ascending order they say far less, whatever order the rows come in.
    [ "$(query "SELECT n_effective(x, x) < 4, interval_low(x, x) < 2, interval_high(x, x) > 9 $mixed")" = '1 1 1' ]
    [ "$(query 'SELECT halves_separate(value), halves_separate(value, value % 2), halves_separate(value, value * 7 % 31) FROM generate_series(1, 30)')" = '1.0 0.0 0.0' ]
    # What disturbs both of a pair does not disturb their ratio.
    [ "$(query 'SELECT ratio(3 * value, 2 * value), ratio_low(3 * value, 2 * value), ratio_high(3 * value, 2 * value, value) FROM generate_series(1, 12)')" = '1.5 1.5 1.5' ]
    [ "$(query 'SELECT spearman(value, value * value), spearman(value, -value) FROM generate_series(1, 5)')" = '1.0 -1.0' ]
    # With one tie: 1 - 6 * 0.5 / (4 * 15) = 0.95 without the tie correction, 0.948683 with mean ranks.
    [ "$(query "SELECT printf('%.6f', spearman(column1, column2)) FROM (VALUES (1,1), (2,2), (3,2), (4,4))")" = 0.948683 ]
    [ "$(query 'SELECT line_slope(value, 3 * value - 2), line_intercept(value, 3 * value - 2), line_r2(value, 3 * value - 2) FROM generate_series(1, 5)')" = '3.0 -2.0 1.0' ]
    [ "$(query 'SELECT line_slope(column1, column2), line_intercept(column1, column2), line_r2(column1, column2) FROM (VALUES (0, 0), (1, 2), (2, 1))')" = '0.5 0.5 0.25' ]
    [ "$(query "SELECT median(column1), line_slope(column1, column2) FROM (VALUES (NULL, 9), (1, NULL), (3, 3), ('x', 4), (5, 7))")" = '3.0 2.0' ]
    [ "$(query 'SELECT median(NULL) IS NULL, line_slope(1, 1) IS NULL, spearman(1, 1) IS NULL, interval_low(7)')" = '1 1 1 7.0' ]
    [ "$(query 'SELECT median(value) FROM generate_series(1, 3) WHERE value > 5')" = '' ]
    [ "$(query 'SELECT value % 2, median(value) FROM generate_series(1, 6) GROUP BY 1 ORDER BY 1')" = $'0 4.0\n1 3.0' ]
}

@test "sql: reads only, takes stdin, fails on a wrong query" {
    mkdir -p $R
    run/collect $R
    [ "$(echo 'SELECT count(*) FROM claims' | run/sql $R/results.db)" = 7 ]
    run -0 run/sql -csv -header $R/results.db 'SELECT id FROM claims LIMIT 1'
    [ "${lines[0]}" = id ]
    run ! run/sql $R/results.db 'DELETE FROM claims'
    run ! run/sql $R/results.db 'SELECT nothing FROM nowhere'
    run ! run/sql $R/results.db <<<'SELECT nothing'
    fails_with 'no data base nono.db' run/sql nono.db 'SELECT 1'
    fails_with 'give the query as one argument' run/sql $R/results.db SELECT 1
}

@test "check: every kind of verdict" {
    measure demo_copy demo_cuda demo_waived
    run -0 run/check $R
    says 'demo                   7           1               1          1       2        2'
    [ "$(cat $R/verdicts.csv)" = "id,figure,kind,measured,bound,verdict,reason,rests_on
demo-c-1,demo-fig-1-1,shape,0.5 (0.4091 .. 0.5789) of the slow copy's time,< 1 (thesis: 2),reproduced,,
demo-c-2,demo-fig-1-1,shape,time: 2 (1.727 .. 2.444); count: 2 copies,time: < 1 | count: = 2 (thesis: 2),not reproduced,,
demo-c-3,demo-fig-1-1,shape,,,pending,no query yet,
demo-c-4,demo-fig-1-2,value,,,waived,\"it needs a CUDA GPU, and this is the software GPU (GPU=soft)\",
demo-c-5,demo-fig-1-3,exact,,,pending,no data: demo_pending,
demo-c-6,-,shape,1.5 (0.5 .. 2.5) times (the closest of 2),> 1,ambiguous,,
demo-c-7,-,value,2 ms,- (thesis: 1),waived,a number of the Tesla T1," ]
    [ "$(query "SELECT count(*) FROM verdicts WHERE verdict = 'waived'")" = 2 ]
    [[ $output != *demo-c-3* ]]
    run -0 run/check -v $R
    says demo-c-3
    run -0 run/check -q $R
    [ -z "$output" ]
}

@test "check: without any result claims are pending, with half of them too" {
    mkdir -p $R
    run -0 run/check -q $R
    [ "$(query "SELECT count(*) FROM verdicts WHERE reason = 'no data: demo_copy'")" = 2 ]
    [ "$(query "SELECT reason FROM verdicts WHERE id = 'demo-c-4'")" = 'no data: demo_cuda' ]
    measure demo_cuda
    run -0 run/check -q $R
    [ "$(query "SELECT verdict, reason FROM verdicts WHERE id = 'demo-c-4'")" = \
        'waived it needs a CUDA GPU, and this is the software GPU (GPU=soft)' ]
}

@test "check: quiet, and of a copy, what is judged is not judged again; a changed query, result or failure is" {
    local sql=claims/demo/demo-fig-1-1.sql
    measure demo_copy
    run -0 run/check -q $R
    cp -a $R results/copy
    stat -c '%n %y' results/copy/results.db results/copy/verdicts.csv >before
    run -0 run/check -q results/copy
    stat -c '%n %y' results/copy/results.db results/copy/verdicts.csv | diff before -
    echo 'SELEC 1;' >>$sql
    run -1 run/check -q results/copy
    run -1 run/check -q results/copy
    sed -i '$d' $sql
    run -0 run/check -q results/copy
    run -1 diff <(stat -c '%n %y' results/copy/verdicts.csv) <(tail -n 1 before)
    cp -a results/copy/verdicts.csv older
    touch results/copy/demo_copy.json
    run -0 run/check -q results/copy
    [ results/copy/verdicts.csv -nt older ]
}

@test "check: a query that finds nothing says why" {
    local sql=claims/demo/demo-fig-1-1.sql
    measure demo_copy
    echo "SELECT 'demo-c-1', max(time_s), NULL, NULL, '' FROM demo_copy_median WHERE variant = 'um';
          SELECT 'demo-c-2/time', 1, NULL, NULL, '' FROM demo_copy_median WHERE variant = 'um'" >$sql
    run -0 run/check -q $R
    [ "$(query "SELECT verdict, reason FROM verdicts WHERE id < 'demo-c-3'")" = \
        $'pending its query found no data\npending its query returned no row' ]
    sed -i 's/"waived": \[\]/"waived": [{"variant": "um", "reason": "no managed memory"}]/' $R/demo_copy.json
    run -0 run/check -q $R
    [ "$(query "SELECT DISTINCT verdict, reason FROM verdicts WHERE id < 'demo-c-3'")" = \
        'waived variant um: no managed memory' ]
}

@test "check: a strict bound counts on its machine, a waived claim nowhere, a part may be missing" {
    measure demo_copy
    local claims=claims/demo/claims.tsv
    sed -i 's/Tesla T1/Tesla T1 | Test CPU/; /^demo-c-6/s/\t> 1\t/\twaived: it cannot be told\t/' $claims
    sed -i '/count/d' claims/demo/demo-fig-1-1.sql
    run -0 run/check -q $R
    [ "$(query "SELECT id, bound, verdict, reason FROM verdicts WHERE id IN ('demo-c-2', 'demo-c-6', 'demo-c-7')")" = \
        $'demo-c-2 time: < 1 | count: = 2 (thesis: 2) pending a part of it was not measured\n'$(: \
        )$'demo-c-6 - waived it cannot be told\n'$(: \
        )'demo-c-7 0.9 .. 1.1 (thesis: 1) not reproduced the bound of the thesis, as this is a Tesla T1 or Test CPU' ]
    sed -i 's/Tesla T1 | Test CPU/CUDA/' $claims
    run -0 run/check -q $R
    [ "$(query "SELECT verdict, reason FROM verdicts WHERE id = 'demo-c-7'")" = 'waived judged on CUDA GPUs only' ]
    sed -i 's/device0_kind/&/; s/"kind": "soft"/"kind": "cuda"/' $R/demo_copy.json
    run -0 run/check -q $R
    [ "$(query "SELECT verdict, reason FROM verdicts WHERE id = 'demo-c-7'")" = 'not reproduced ' ]
}

@test "check: a number of other machines is waived here, also where nothing was measured for it" {
    measure demo_slow
    awk -F'\t' -v OFS='\t' '$1 == "demo-c-1" { $7 = "-"; $8 = "< 1"; $9 = "CUDA" } 1' claims/demo/claims.tsv >changed && mv changed claims/demo/claims.tsv
    run -0 run/check -q $R
    [ "$(query "SELECT verdict, reason FROM verdicts WHERE id = 'demo-c-1'")" = 'waived judged on CUDA GPUs only' ]
    [ "$(query "SELECT verdict FROM verdicts WHERE id = 'demo-c-2'")" = pending ]
}

@test "collect: a wrong bound or view is named" {
    mkdir -p $R
    cp claims/demo/claims.tsv good.tsv
    while IFS='|' read -r change message; do
        sed "2s/\t< 1\t/\t$change\t/" good.tsv >claims/demo/claims.tsv
        fails_with "claims.tsv:2: bound '${change//\\/}': $message" run/collect $R
    done <<'CASES'
about 1|a bound is
>= |a bound is
>= one|a bound is
1 .. |a bound is
2 .. 1|the lower end lies above the upper one
> 1 and < 2|parts of a bound are separated by
= nan|a bound is
CASES
    sed '2s/\t< 1\t/\ta: < 1 | a: > 0\t/' good.tsv >claims/demo/claims.tsv
    fails_with 'two parts have the same name' run/collect $R
    sed '2s/\t< 1\t-\t/\t< 1\t> 0\t/' good.tsv >claims/demo/claims.tsv
    fails_with 'claims.tsv:2: a strict bound and its machine stand together' run/collect $R
    cp good.tsv claims/demo/claims.tsv
    echo 'DROP TABLE claims;' >claims/views/alpha.sql
    fails_with 'claims/views/alpha.sql: not authorized' run/collect $R
    echo 'CREATE TABLE claims2(a);' >claims/views/alpha.sql
    fails_with 'only CREATE VIEW may stand here' run/collect $R
    [ ! -e $R/results.db ]
}

@test "check: a wrong query is an error with file and line" {
    local sql=claims/demo/demo-fig-1-1.sql
    measure demo_copy
    while IFS='|' read -r text message; do
        printf -- '-- first line\n\n%s\n' "$text" >$sql
        fails_with "demo-fig-1-1.sql:$message" run/check $R
    done <<'CASES'
SELEC 1;|1: near "SELEC": syntax error
SELECT 'demo-c-1', 1, 1, 1, '' FROM demo_cpoy;|1: no such table: demo_cpoy
SELECT 'demo-c-1', speed, 1, 1, '' FROM demo_copy;|1: no such column: speed
SELECT 'demo-c-99', 1, 1, 1, '';|1: the ledger has no claim 'demo-c-99'
SELECT 'demo-c-1', 1, 1, 1, ''; SELECT 'demo-c-1', 1, 1, 1, '';|3: demo-c-1 is judged at
SELECT 'demo-c-6', 1, 1, 1, '';|1: demo-c-6 is judged at
SELECT 'demo-c-1', 1, 1, 1;|1: the query has 4 columns
SELECT 'demo-c-1', 'fast', 1, 1, '';|1: demo-c-1: value 'fast' is not a number
DELETE FROM claims;|1: only queries may stand here
CASES
    echo "SELECT 'demo-c-1/half', 1, NULL, NULL, ''" >$sql
    run -0 run/check $R
    says "demo-c-1/half: measured, but not judged: claims.tsv has no bound for it"
    rm $sql
    echo 'SELECT 1' >claims/demo/demo-fig-9-9.sql
    fails_with "'demo-fig-9-9' is neither a figure" run/check $R
}

@test "regress: same, slower, faster, ambiguous, missing and other hardware" {
    measure demo_copy demo_slow
    run -0 run/record --unverified box
    run -0 run/regress --again 0 $R results/box
    [ "$output" = '0 slower, 0 faster, 2 same, 0 ambiguous, 0 missing, 0 new, 1 with too few samples' ]
    awk -F, -v OFS=, 'NR > 1 && $2 == "fast" { $11 *= 1.5 } NR > 1 && $2 == "slow" { $11 *= 0.5 } 1' \
        $R/demo_copy.csv >changed && mv changed $R/demo_copy.csv
    sed -i 's/9000/8000/' $R/*.json
    rm $R/demo_slow.csv
    run -3 run/regress --again 0 --csv rows.csv $R results/box
    says 'other hardware: cpu is Test CPU <8000>, in the reference Test CPU <9000>'
    says 'slower: demo_copy variant=fast gpu=soft ranks=1 gpus=1 size_bytes=1024: median 0.0015 s, reference 0.001 s, allowed 0.0008 to 0.0011 s; again: make -B demo_copy'
    says 'faster: demo_copy variant=slow'
    says 'missing: demo_slow: none of its 1 configurations was measured here'
    says '1 slower, 1 faster, 0 same, 0 ambiguous, 1 missing, 0 new, 0 with'
    [ "$(grep -c '^demo_' rows.csv)" -eq 3 ]
    cp alpha/experiments.tsv alpha/kept && sed -i 's|-0.2/0.1|-0.6/0.6|' alpha/experiments.tsv
    run -0 run/regress --again 0 $R results/box
    says '0 slower, 0 faster, 2 same'
    mv alpha/kept alpha/experiments.tsv
    awk -F, -v OFS=, 'NR == 3 || NR == 4 { $11 = 0.002 } NR > 4 { $11 *= 2.2 } 1' \
        <(zcat results/box/demo_copy.csv.gz) >$R/demo_copy.csv
    run -3 run/regress --again 0 $R results/box
    says 'ambiguous: demo_copy variant=slow'
    rm $R/demo_copy.csv
    run -2 run/regress --again 0 $R results/box
    says 'no configuration is in both'
    fails_with 'name two results directories' run/regress --again 0 $R
}

@test "regress: what looks slower is measured again before it is called slower" {
    measure demo_copy
    cp -r $R results/box
    rm -f results/box/*.log
    awk -F, -v OFS=, 'NR > 1 && $2 == "fast" { $11 *= 1.5 } 1' results/box/demo_copy.csv >$R/demo_copy.csv
    run -3 run/regress --again 0 $R results/box
    says 'slower: demo_copy variant=fast'
    cp $R/demo_copy.csv before.csv
    run -0 run/regress $R results/box
    says 'measured again, as they look slower: demo_copy'
    says '0 slower'
    # In as many starts as before.
    jq '.starts = [{}, {}, {}]' $R/demo_copy.json >json && mv json $R/demo_copy.json
    mv build/soft/bin/fake build/soft/bin/real
    printf '#!/bin/bash\nprintf 1 >>starts; exec "${0%%/*}/real" "$@"\n' >build/soft/bin/fake
    chmod +x build/soft/bin/fake
    run -0 run/regress $R results/box
    says 'measured again'
    [ "$(cat starts)" = 111 ]
    cmp before.csv $R/demo_copy.csv
    # Where the program itself is slower, it is so each time.
    sed -i '/^demo_copy/s/fast:1024:.*-3\t-\t-\t1\t1/fast:1024:2e-3,2.1e-3,2e-3,2e-3,2.1e-3,2e-3,2e-3\t-\t-\t1\t1/' alpha/experiments.tsv
    run -3 run/regress $R results/box
    says '1 slower'
    fails_with '--again takes a number' run/regress --again x $R results/box
}

@test "regress: other load, governor, clocks and throttling are named" {
    measure demo_copy
    cp -r $R results/box
    local gpus='"gpus": [{"sm_application_mhz": 1980, "throttle_bits": 1}]'
    sed -i "1s/{/{\"state\": {\"before\": {\"load_1min\": 0.3, \"governor\": \"performance\"}, \"after\": {$gpus}},/" results/box/demo_copy.json
    sed '1s/0.3/9.5/; 1s/performance/powersave/; 1s/1980/1200/; 1s/_bits": 1/_bits": 4/' results/box/demo_copy.json >$R/demo_copy.json
    run -0 run/regress $R results/box
    says 'demo_copy: other load: 9.5, in the reference 0.3'
    says 'demo_copy: other governor: powersave, in the reference performance'
    says 'demo_copy: other GPU clock: 1200 MHz, in the reference 1980 MHz'
    says 'demo_copy: other GPU throttling: reasons 0x4, in the reference 0x1'
    cp results/box/demo_copy.json $R
    sed -i '1s/_bits": 1/_bits": 0/' $R/demo_copy.json
    run -0 run/regress $R results/box
    [[ $output != *other* ]]
}

# A run of demo_copy in 5 starts, each configuration of which is off by an amount of its own in each: simulate_starts DIR SEED.
simulate_starts() {
    mkdir -p "$1"
    awk -v seed=$2 '
        function uniform() { x = (x * 16807) % 2147483647; return x / 2147483647 }
        function normal() { return sqrt(-2 * log(1 - uniform())) * cos(6.2831853 * uniform()) }
        BEGIN {
            x = seed
            for (i = 0; i < 20; i++)
                uniform()
            print "experiment,variant,gpu,host,rank,ranks,gpus,rep,start,size_bytes,bandwidth_gbs,time_s,errors,status"
            for (size = 1; size <= 100; size++)
                for (start = 0; start < 5; start++) {
                    own = 0.3 * normal()
                    for (rep = 0; rep < 10; rep++)
                        printf "demo_copy,slow,soft,testhost,0,1,1,%d,%d,%d,1,%.6g,0,pass\n", rep, start, size, 1e-3 * exp(own + 0.01 * normal())
                }
        }' >"$1/demo_copy.csv"
    cp demo_copy.json "$1/demo_copy.json"
}

@test "regress: starts that differ are no slowdown" {
    measure demo_copy
    mv $R/demo_copy.json .
    rm -rf $R
    export TOOLS=$MAIN/build/tools
    make -s -C "$MAIN/run"
    simulate_starts results/box 1
    simulate_starts $R 2
    run -0 run/regress --again 0 $R results/box
    says '100 of the 100 configurations that were measured in several starts differ'
    [[ ${lines[-1]} == '0 slower, '* ]]
    # What became far slower than starts differ is found.
    awk -F, -v OFS=, 'NR > 1 && $10 <= 10 { $12 *= 8 } 1' $R/demo_copy.csv >changed && mv changed $R/demo_copy.csv
    run -3 run/regress --again 0 --csv rows.csv $R results/box
    echo "# of 100 configurations in 5 starts that differ by 30 %: A against A 0 slower; 10 of them 8 times as slow: ${lines[-1]}" >&3
    [ "$(grep -cE 'size_bytes=([1-9]|10),.*,slower$' rows.csv)" -eq "${lines[-1]%% *}" ]
    [ "${lines[-1]%% *}" -ge 8 ]
}

# simulate DIR SEED FACTOR: a run of demo_copy and demo_slow, 60 configurations of 10 repetitions each, with 2 % noise
# that depends on the repetition before, 1 % from run to run for a configuration and 1 % for all of them; demo_slow's
# times are multiplied by FACTOR.
simulate() {
    mkdir -p "$1"
    local id
    for id in demo_copy demo_slow; do
        awk -v seed=$2 -v id=$id -v factor=$([ $id = demo_slow ] && echo $3 || echo 1) '
            # The same numbers in every awk.
            function uniform() { x = (x * 16807) % 2147483647; return x / 2147483647 }
            function normal() { return sqrt(-2 * log(1 - uniform())) * cos(6.2831853 * uniform()) }
            BEGIN {
                x = seed * 2 + (id == "demo_slow")
                for (i = 0; i < 20; i++)
                    uniform() # the first ones of neighbouring seeds are alike
                print "experiment,variant,gpu,host,rank,ranks,gpus,rep,size_bytes,bandwidth_gbs,time_s,errors,status"
                all = 0.01 * normal()
                for (size = 1; size <= 60; size++) {
                    own = 0.01 * normal()
                    for (rep = 0; rep < 10; rep++) {
                        state = 0.5 * state + 0.87 * normal()
                        printf "%s,slow,soft,testhost,0,1,1,%d,%d,1,%.6g,0,pass\n", id, rep, size, factor * size * 1e-3 * exp(all + own + 0.02 * state)
                    }
                }
            }' >"$1/$id.csv"
        sed "s/demo_copy/$id/g" demo_copy.json >"$1/$id.json"
    done
}

@test "regress: 10 % are found in an experiment, 20 % in its configurations, and a machine is not slower than itself" {
    measure demo_copy
    mv $R/demo_copy.json .
    rm -rf $R
    simulate results/box 1 1
    simulate results/box/runs/2 2 1
    simulate results/box/runs/3 3 1
    simulate results/box/runs/4 4 1
    export TOOLS=$MAIN/build/tools
    make -s -C "$MAIN/run"
    local slower=0 seed last=20
    [ -z "${RUN_LONG:-}" ] || last=30
    for ((seed = 11; seed <= last; seed++)); do
        simulate $R $seed 1
        run run/regress --again 0 $R results/box
        says '0 with too few samples'
        [[ $output != *'slower as a whole'* ]]
        slower=$((slower + ${lines[-1]%% *}))
    done
    [ $((100 * slower)) -lt $((120 * (last - 10))) ] # 1 % of 120 configurations each time
    # 10 %: the experiment as a whole, whatever the numbers; 20 %: most of its configurations as well.
    for ((seed = 40; seed < 43; seed++)); do
        simulate $R $seed 1.1
        run -3 run/regress --again 0 $R results/box
        says 'slower as a whole: demo_slow'
        [[ $output != *'whole: demo_copy'* ]]
    done
    simulate $R 40 1.2
    run -3 run/regress --csv rows.csv --junit junit.xml --again 0 $R results/box
    echo "# of $((120 * (last - 10))) configurations, A against A: $slower slower; 20 % added to 60: ${lines[-1]}" >&3
    echo "# $(grep whole <<<"$output")" >&3
    [ "$(grep -c '^demo_slow.*,slower' rows.csv)" -ge 30 ]
    [ "$(grep -c '^demo_copy.*,slower' rows.csv)" -le 1 ]
    grep -q '<testsuites tests="122" failures="' junit.xml # 120 configurations, and both experiments as a whole
    grep -q '<failure message="median' junit.xml
    grep -q '<testcase classname="demo_slow" name="demo_slow as a whole"><failure message="1\.[12]' junit.xml
    grep -q '<testcase classname="demo_copy" name="demo_copy as a whole"></testcase>' junit.xml
    ! command -v xmllint >/dev/null || xmllint --noout junit.xml
}

# Five runs of 15 experiments on one machine of two cores that other processes loaded (1-minute load 6 to 14), as results/1 to
# results/5, and their manifest.
unpack_recorded_runs() {
    local id run
    zcat "$MAIN/tests/fixtures/run/recorded/runs.csv.gz" | awk -F, -v OFS=, '
        NR > 1 {
            file = "results/" $1 "/" $2 ".csv"
            if (!(file in seen)) {
                system("mkdir -p results/" $1)
                print "experiment,variant,gpu,host,rank,ranks,gpus,rep,configuration,time_s,errors,status" >file
                seen[file] = 1
            }
            print $2, $3, "soft", "testhost", 0, $4, $5, $7, $6, $8, 0, "pass" >file
        }'
    for run in results/*/; do
        for id in "$run"*.csv; do
            id=${id##*/} id=${id%.csv}
            printf '{"schema_version": 1, "meta": {"experiment": "%s"}, "columns": [{"name": "configuration", "kind": "parameter"}], "status": "PASS"}\n' \
                "$id" >"$run$id.json"
        done
    done
    for id in results/1/*.csv; do
        id=${id##*/}
        awk -F'\t' -v OFS='\t' -v id="${id%.csv}" '$1 == id { $4 = $5 = "-"; $10 = "-"; print }' "$MAIN"/*/experiments.tsv
    done >>alpha/experiments.tsv
}

@test "regress: recorded runs of a loaded machine are not slower than one another" {
    local said
    unpack_recorded_runs
    export TOOLS=$MAIN/build/tools REGRESS=$PWD/run/regress
    make -s -C "$MAIN/run"
    run "$MAIN/tests/a_against_a" results/[1-5]
    echo "$output"
    [ "$status" -eq 0 ]
    said="a run beside another: ${lines[-1]}"
    run "$MAIN/tests/a_against_a" --references 3 --repeats 1 results/[1-5]
    echo "$output"
    [ "$status" -eq 0 ]
    echo "# $said; beside three: ${lines[-1]}" >&3
    # A program that became three times as slow is found, all the same.
    cp -r results/5 results/slower
    awk -F, -v OFS=, 'NR > 1 { $10 *= 3 } 1' results/5/prefetch_loops.csv >results/slower/prefetch_loops.csv
    mkdir -p results/1/runs && ln -s "$PWD/results/2" results/1/runs/2 && ln -s "$PWD/results/3" results/1/runs/3
    run -3 run/regress results/slower results/1
    says 'slower as a whole: prefetch_loops'
}
