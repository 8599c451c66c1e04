#!/usr/bin/env bats
# Every figure and table draws from a small data base; what has no data says so; errors leave nothing half done.

bats_require_minimum_version 1.5.0

# The data base of a machine that measured everything, from recorded results, with a part of them as a second machine.
setup_file() {
    root=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
    export root TOOLS=${TOOLS:-$root/build/tools} database=$BATS_FILE_TMPDIR/fixture/results.db
    [ -e "$TOOLS/collect" ] && [ -e "$TOOLS/ask" ] || make -s -C "$root/run" TOOLS="$TOOLS"
    "$root/tests/fixtures/plots/thin" "$BATS_FILE_TMPDIR/fixture"
    mkdir "$BATS_FILE_TMPDIR/second"
    cp "$BATS_FILE_TMPDIR"/fixture/{blp,tuner_search,tuner_sweep,pipeline_streams,spmv_hybrid}*.{csv,json} "$BATS_FILE_TMPDIR/second"
    PARTNER=$BATS_FILE_TMPDIR/second "$root/run/collect" "$BATS_FILE_TMPDIR/fixture"
}

setup() {
    results=$BATS_TEST_TMPDIR/results
    mkdir "$results"
    ln -s "$database" "$results/results.db"
}

# Changes the test's own copy of the data base.
change() {
    cp --remove-destination "$database" "$results/results.db"
    sqlite3 -bail "$results/results.db" "$1"
}

# A copy of plots/ in which a test may break files; its draw uses the real run/sql.
copy_of_plots() {
    mkdir "$BATS_TEST_TMPDIR/copy"
    cp -r "$root/plots" "$BATS_TEST_TMPDIR/copy/plots"
    ln -s "$root/run" "$BATS_TEST_TMPDIR/copy/run"
    plots=$BATS_TEST_TMPDIR/copy/plots
}

names_of() { (cd "$root/plots" && for file in *-*."$1"; do echo "${file%.*}"; done); }

# The figures that the manifests name.
figures_of_manifests() {
    awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "figures") column = i; next }
                 !/^#/ && $column != "-" { gsub(",", "\n", $column); print $column }' "$root"/*/experiments.tsv | sort -u
}

# Those whose experiments no machine in results/ has recorded yet.
figures_not_recorded() {
    awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) if ($i == "figures") column = i; next }
                 !/^#/ && $column != "-" { n = split($column, figure, ","); for (i = 1; i <= n; i++) print $1, figure[i] }' \
        "$root"/*/experiments.tsv | while read -r id figure; do
        compgen -G "$root/results/*/$id.json" >/dev/null || echo "$figure"
    done | sort -u
}

nothing_left() {
    [ -z "$(find "$results" -mindepth 2)" ]
    [ -z "$(find "$results" -name '.draw*')" ]
}

@test "every figure and every table draws" {
    run --separate-stderr "$root/plots/draw" --formats svg "$results" # in PNG the chain of suite.bats draws them
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ -z "$output$stderr" ]
    diff <({ names_of gp; names_of sql; } | sort) \
        <(cd "$results" && printf '%s\n' figures/*.svg tables/*.txt | sed 's/.*\///; s/\.[^.]*$//' | sort)
    xmllint --noout "$results"/figures/*.svg "$results"/tables/*.html
    diff <(grep -lE 'no data|waived' "$results"/figures/*.svg "$results"/tables/*.txt | sed 's/.*\///; s/\.[^.]*$//') \
        <(figures_not_recorded)
    [ -z "$(find "$results" -name '.draw*')" ]
}

@test "pictures show measured and published numbers and name the machine" {
    "$root/plots/draw" "$results" peshne-fig-6-12
    for text in 'pinned' 'thesis: pinned' '100 µs' '1 MiB' 'nvidia-h200, NVIDIA H200'; do
        grep -F "$text" "$results/figures/peshne-fig-6-12.svg"
    done
    [ "$(identify_size "$results/figures/peshne-fig-6-12.png")" = "1440 880" ]
    head -c 8 "$results/figures/peshne-fig-6-12.png" | cmp - <(printf '\x89PNG\r\n\x1a\n')
    rm "$results"/figures/peshne-fig-6-12.*
    "$root/plots/draw" --formats png "$results" peshne-fig-6-12
    [ ! -e "$results/figures/peshne-fig-6-12.svg" ]
    for formats in pdf svg,pdf '' 'svg,'; do
        run "$root/plots/draw" --formats "$formats" "$results"
        [ "$status" -eq 2 ]
    done
}

# Width and height of a PNG file.
identify_size() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'; }

@test "a figure of the software GPU says that its times are those of the CPU" {
    change "UPDATE experiments SET gpu = 'soft'"
    "$root/plots/draw" --formats svg "$results" peshne-fig-6-12
    grep -F 'nvidia-h200, software GPU: times of this CPU' "$results/figures/peshne-fig-6-12.svg"
    run ! grep -F 'NVIDIA H200' "$results/figures/peshne-fig-6-12.svg"
}

@test "an SVG has the colours of a light and of a dark page" {
    "$root/plots/draw" --formats svg "$results" peshne-fig-6-12
    [ "$(grep -c '<style>' "$results/figures/peshne-fig-6-12.svg")" -eq 1 ]
    grep -F '<svg class="plot"' "$results/figures/peshne-fig-6-12.svg"
    grep -F '@media (prefers-color-scheme: dark)' "$results/figures/peshne-fig-6-12.svg"
    # Every colour that the style names for lines and texts is one that it changes.
    for colour in $(sed -nE "s/^(grey|colours) = '(#[0-9A-Fa-f]{6}).*/\2/p" "$root/plots/style.gp"); do
        decimal=$(printf 'rgb(%3d, %3d, %3d)' "0x${colour:1:2}" "0x${colour:3:2}" "0x${colour:5:2}")
        grep -F "stroke=\"$decimal\"" "$root/plots/svg.css"
    done
}

@test "SUMMA with a GPU for each image is not among the images of one GPU" {
    "$root/plots/draw" --formats svg "$results" fanfarillo-fig-7-1
    mv "$results/figures/fanfarillo-fig-7-1.svg" "$BATS_TEST_TMPDIR/before.svg"
    change "UPDATE configurations SET median_s = median_s / 8, low_s = low_s / 8, high_s = high_s / 8
            WHERE experiment = 'coarrays_summa_gpus_2'"
    "$root/plots/draw" --formats svg "$results" fanfarillo-fig-7-1
    cmp "$BATS_TEST_TMPDIR/before.svg" "$results/figures/fanfarillo-fig-7-1.svg"
}

@test "tables hold measured beside published values" {
    change "UPDATE pinning_copy_median SET time_s = 123.456e-6 WHERE block_elements = 225 AND variant = 'pinned' AND direction = 'h2d';
            UPDATE common_machine SET specification = 'Example CPU <2.0 GHz> & more' WHERE sheet = 'compute_node'"
    "$root/plots/draw" "$results" peshne-tab-6-5 peshne-tab-6-2
    grep -E '│ 225 +│ 123.46 +│ 65.06 ' "$results/tables/peshne-tab-6-5.txt"
    grep -F '<td>123.46</td>' "$results/tables/peshne-tab-6-5.html"
    grep -F 'time in µs' "$results/tables/peshne-tab-6-5.txt"
    grep -F '<td>Example CPU &lt;2.0 GHz&gt; &amp; more</td>' "$results/tables/peshne-tab-6-2.html"
}

@test "a size that was not measured is an empty cell, not a zero" {
    change "DELETE FROM pinning_copy_median WHERE block_elements = 225"
    "$root/plots/draw" "$results" peshne-tab-6-5
    grep -E '│ 225 +│ - +│ 65.06 ' "$results/tables/peshne-tab-6-5.txt"
}

# What claims judge and figures draw are the same rows: both follow when a view changes.
@test "a figure shows what its view says, also where other experiments of the view did not run" {
    "$root/plots/draw" --formats svg "$results" klein-fig-17 fanfarillo-fig-7-13
    mv "$results/figures" "$BATS_TEST_TMPDIR/before"
    change "UPDATE experiments SET status = NULL, host = NULL WHERE id IN ('partition_stencil', 'partition_nbody');
            DROP TABLE partition_stencil; DROP TABLE partition_stencil_median; DROP TABLE partition_nbody_median"
    sqlite3 -bail "$results/results.db" "DROP TABLE partition_nbody;
            UPDATE experiments SET status = 'WAIVED' WHERE id = 'coarrays_pricing_network';
            DROP TABLE coarrays_pricing_network_median;
            CREATE TABLE coarrays_pricing_network_median AS SELECT variant FROM coarrays_pricing_median WHERE false"
    run -0 --separate-stderr "$root/plots/draw" --formats svg "$results" klein-fig-17 fanfarillo-fig-7-13
    [ -z "$stderr" ]
    cmp "$BATS_TEST_TMPDIR/before/klein-fig-17.svg" "$results/figures/klein-fig-17.svg"
    grep -F '>one host<' "$results/figures/fanfarillo-fig-7-13.svg"
    run ! grep -F 'hosts (TCP)' "$results/figures/fanfarillo-fig-7-13.svg"
    change "DROP VIEW partition_launches;
            CREATE VIEW partition_launches AS SELECT 'matmul' AS app, 'original' AS variant, 1 AS devices, 4096 AS size,
                1 AS iterations, 7.0 AS mid, 6.0 AS low, 8.0 AS high"
    "$root/plots/draw" --formats svg "$results" klein-fig-17
    # One and its key; gnuplot 6 puts white ones below them.
    [ "$(grep "use xlink:href='#gpPt6'" "$results/figures/klein-fig-17.svg" | grep -vc FFFFFF)" -eq 2 ]
}

@test "an experiment that was not run is said in the figure's place" {
    change "UPDATE experiments SET status = NULL, host = NULL WHERE id = 'pinning_copy';
            DROP TABLE pinning_copy; DROP TABLE pinning_copy_median"
    run --separate-stderr "$root/plots/draw" "$results" peshne-fig-6-12 peshne-tab-6-5
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    grep -F 'no data: pinning_copy was not run' "$results/figures/peshne-fig-6-12.svg"
    grep -F 'no data: pinning_copy was not run' "$results/tables/peshne-tab-6-5.txt"
    xmllint --noout "$results/figures/peshne-fig-6-12.svg" "$results/tables/peshne-tab-6-5.html"
    [ -s "$results/figures/peshne-fig-6-12.png" ]
}

@test "a waived experiment gives its reason" {
    change "UPDATE experiments SET status = 'WAIVED', reason = 'needs \"2\" GPUs & <peer> access' WHERE id = 'pinning_copy';
            DELETE FROM pinning_copy; DELETE FROM pinning_copy_median"
    "$root/plots/draw" "$results" peshne-fig-6-12 peshne-tab-6-5
    grep -F 'waived: needs "2" GPUs' "$results/tables/peshne-tab-6-5.txt"
    grep -F 'waived: needs' "$results/figures/peshne-fig-6-12.svg"
    xmllint --noout "$results/figures/peshne-fig-6-12.svg" "$results/tables/peshne-tab-6-5.html"
}

@test "where a program or a library was left out, a figure that needs it says so, also beside what ran" {
    change "UPDATE experiments SET status = 'WAIVED', reason = 'llvm is not here' WHERE id = 'partition_copies';
            DROP TABLE partition_copies_median; CREATE TABLE partition_copies_median(variant, time_s);
            DELETE FROM partition_binaries WHERE variant = 'partitioned';
            DELETE FROM partition_binaries_speed WHERE variant = 'partitioned'"
    run -0 "$root/plots/draw" --formats svg "$results" klein-fig-20 datamotion-fig-21
    grep -F 'waived: llvm is not here' "$results/figures/klein-fig-20.svg"
    grep -F 'no data: nothing was partitioned' "$results/figures/datamotion-fig-21.svg"
}

@test "programs that ran on one GPU alone are drawn" {
    change "DELETE FROM partition_binaries WHERE devices > 1; DELETE FROM partition_binaries_speed WHERE devices > 1"
    run -0 "$root/plots/draw" --formats svg "$results" datamotion-fig-21
    grep -F '1 GPU' "$results/figures/datamotion-fig-21.svg"
    run ! grep -F '2 GPUs' "$results/figures/datamotion-fig-21.svg"
}

@test "an experiment without a good repetition has no data" {
    change "UPDATE experiments SET status = 'FAIL' WHERE id = 'pinning_copy';
            UPDATE pinning_copy SET status = 'fail'; DELETE FROM pinning_copy_median"
    "$root/plots/draw" "$results" peshne-fig-6-12
    grep -F 'no data: no repetition passed' "$results/figures/peshne-fig-6-12.svg"
}

@test "a waived variant is left out of the key" {
    change "DELETE FROM pinning_alloc_median WHERE variant = 'hostalloc'"
    "$root/plots/draw" "$results" peshne-fig-6-14
    grep -F '>registered<' "$results/figures/peshne-fig-6-14.svg"
    run ! grep -F '>hostalloc<' "$results/figures/peshne-fig-6-14.svg"
}

@test "a figure of the second node shows the partner, or says that there is none" {
    run -0 "$root/plots/draw" "$results" cui-fig-4-9
    grep -q 'second, NVIDIA H200' "$results/figures/cui-fig-4-9.svg"
    grep -q 'speedup of async over sync; of blp 1[.]' "$results/figures/cui-fig-4-9.svg"
    change "UPDATE partner_configurations SET median_s = 10 * median_s WHERE experiment = 'blp_conv2d' AND variant = 'sync'"
    run -0 "$root/plots/draw" "$results" cui-fig-4-8 cui-fig-4-9
    grep -q 'speedup of async over sync; of blp 1[.]' "$results/figures/cui-fig-4-8.svg"
    grep -q 'speedup of async over sync; of blp 1[0-9][.]' "$results/figures/cui-fig-4-9.svg"
    change 'DELETE FROM partner_blp_conv2d_median; DELETE FROM partner_machine'
    run -0 "$root/plots/draw" "$results" cui-fig-4-9
    grep -q 'no data of a second machine for blp_conv2d' "$results/figures/cui-fig-4-9.svg"
}

@test "an unknown figure is an error, and the others are still drawn" {
    run --separate-stderr "$root/plots/draw" "$results" peshne-fig-99-1 peshne-fig-6-13
    [ "$status" -eq 1 ]
    [[ $stderr == *"unknown figure: peshne-fig-99-1"* ]]
    [ -s "$results/figures/peshne-fig-6-13.svg" ]
}

@test "broken SQL in a figure is an error that names the file and leaves nothing" {
    copy_of_plots
    sed -i 's/pinning_transfers_median/no_such_table/' "$plots/peshne-fig-6-13.gp"
    run --separate-stderr "$plots/draw" "$results" peshne-fig-6-13
    [ "$status" -eq 1 ]
    [[ $stderr == *peshne-fig-6-13.gp*no_such_table* ]]
    nothing_left
}

@test "one broken series among good ones is an error" {
    copy_of_plots
    sed -i "s/peshne_tab_6_5/no_such_table/" "$plots/peshne-fig-6-12.gp"
    run --separate-stderr "$plots/draw" "$results" peshne-fig-6-12
    [ "$status" -eq 1 ]
    [[ $stderr == *peshne-fig-6-12.gp*no_such_table* ]]
    nothing_left
}

@test "broken SQL in a table is an error that names the file and keeps the older table" {
    copy_of_plots
    "$plots/draw" "$results" peshne-tab-6-8
    before=$(cat "$results"/tables/*)
    echo 'SELEC 1;' >>"$plots/peshne-tab-6-8.sql"
    run --separate-stderr "$plots/draw" "$results" peshne-tab-6-8
    [ "$status" -eq 1 ]
    [[ $stderr == *peshne-tab-6-8.sql*SELEC* ]]
    [ "$before" = "$(cat "$results"/tables/*)" ]
}

@test "an error of gnuplot names the file and leaves nothing" {
    copy_of_plots
    echo 'plot nothing' >>"$plots/peshne-fig-6-13.gp"
    run --separate-stderr "$plots/draw" "$results" peshne-fig-6-13
    [ "$status" -eq 1 ]
    [[ $stderr == *peshne-fig-6-13.gp*nothing* ]]
    nothing_left
}

@test "a damaged data base is an error" {
    rm "$results/results.db"
    echo nonsense >"$results/results.db"
    run --separate-stderr "$root/plots/draw" "$results" peshne-fig-6-13 peshne-tab-6-8
    [ "$status" -eq 1 ]
    [[ $stderr == *"not a database"* ]]
    nothing_left
}

# Starts answer at socket $1 for as long as file descriptor 8 of this shell is open.
answers_at() {
    mkfifo "$BATS_TEST_TMPDIR/ready"
    exec 8> >("$TOOLS/answer" "$results/results.db" "$1" >"$BATS_TEST_TMPDIR/ready" 3>&-)
    timeout 300 head -n 1 "$BATS_TEST_TMPDIR/ready"
}

@test "answer and ask: rows as sqlite3 prints them, errors, nothing written" {
    deep=$BATS_TEST_TMPDIR/$(printf 'folder-%.0s' {1..16}) # longer than the address of a socket may be
    mkdir "$deep"
    answers_at "$deep/socket"
    ask() { timeout 300 "$TOOLS/ask" "$deep/socket" "$1"; }
    for sql in "SELECT 1, NULL, 0.1, 1e-9, 1/3.0, 'a b', 'x' || char(10) || 'y'" 'SELECT * FROM pinning_copy_median' \
        'SELECT 1 WHERE 0' 'SELECT median(time_s), line_slope(time_s, block_elements) FROM pinning_copy'; do
        run -0 --separate-stderr ask "$sql"
        [ "$output" = "$("$root/run/sql" -tabs "$results/results.db" "$sql")" ]
    done
    # More than pipes hold, while another query is answered.
    [ "$(ask 'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i FROM n' | { ask 'SELECT 7'; wc -l; })" = $'7\n200000' ]
    # The rows before an error are not printed.
    run -1 --separate-stderr ask "SELECT abs(column1) FROM (VALUES (1), (2), (-9223372036854775807 - 1))"
    [ -z "$output" ] && [[ $stderr == *"integer overflow"* ]]
    for sql in 'SELECT * FROM nowhere' "SELECT 'open" '' 'DELETE FROM pinning_copy'; do
        run -1 --separate-stderr ask "$sql"
        [ -z "$output" ] && [ -n "$stderr" ]
    done
    [ "$(ask 'SELECT count(*) > 0 FROM pinning_copy')" = 1 ]
    # When its stdin ends, answer ends.
    exec 8>&-
    for ((tries = 0; tries < 100; tries++)); do
        run ask 'SELECT 1'
        [[ $output != *"$deep/socket: Connection refused"* ]] || break
        sleep 0.1
    done
    [ "$status" -eq 1 ]
    [[ $output == *"$deep/socket: Connection refused"* ]]
}

@test "tools that are not built are an error in a sentence" {
    TOOLS=/nonexistent run "$root/plots/draw" "$results"
    [ "$status" -eq 2 ]
    [[ $output == *"is not built; run: make -C"* ]]
}

@test "results directories with blanks and quotes in their names" {
    odd="$BATS_TEST_TMPDIR/it's a \"machine\""
    mv "$results" "$odd"
    "$root/plots/draw" "$odd" peshne-fig-6-13 peshne-tab-6-8
    [ -s "$odd/figures/peshne-fig-6-13.svg" ]
    [ -s "$odd/tables/peshne-tab-6-8.txt" ]
}

@test "wrong use: no arguments, an option, no such directory, no data base" {
    run "$root/plots/draw"
    [ "$status" -eq 2 ]
    run "$root/plots/draw" --nonsense
    [ "$status" -eq 2 ]
    run "$root/plots/draw" "$BATS_TEST_TMPDIR/nowhere"
    [ "$status" -eq 2 ]
    rm "$results/results.db"
    run "$root/plots/draw" "$results"
    [ "$status" -eq 2 ]
    [[ $output == *"run/collect"* ]]
    run "$root/plots/draw" --help
    [ "$status" -eq 0 ]
    [[ $output == Usage:* ]]
}

@test "every figure of the manifests has a file, and every file an experiment" {
    diff <(figures_of_manifests) <({ names_of gp; names_of sql; } | sort)
}

@test "files named after a thesis are in its list of figures" {
    for figure in $(names_of gp; names_of sql); do
        [[ $figure =~ -(fig|tab)- ]] || continue
        grep -q "^$figure$(printf '\t')" "$root/claims/${figure%%-*}/figures.tsv" || { echo "$figure"; false; }
    done
}

@test "figures are short, and only the style sets colours" {
    # Statements, however many lines they take.
    awk '/^#/ || /\\$/ { next } { count[FILENAME]++ }
         END { for (f in count) if (count[f] < 2 || count[f] > 20) { print f, count[f]; bad = 1 } exit bad }' "$root"/plots/*-*.gp
    awk 'length > 120 { print FILENAME ": line " FNR; bad = 1 } END { exit bad }' "$root"/plots/*.gp
    run ! grep -E 'rgb|font|terminal' "$root"/plots/*-*.gp
}
