#!/usr/bin/env bats
# The report: pages that lead from a claim to its figure, experiment, command and data, and look right in a browser.
# shellcheck disable=SC2086,SC2164,SC2016
# The paths here have no blanks, and bats stops at a failed command.
# REPORT_LONG=1: all pages of a recorded machine in the browser.
bats_require_minimum_version 1.5.0
load fixtures/run/setup.bash
load recorded

# broken_links FOLDER: each link of a page of the folder that leads nowhere, as `page: link`.
broken_links() {
    cd "$1"
    grep -oE ' id="[^"]+"' -- *.html | sed 's/:.*id="/#/; s/"$//' | sort >"$BATS_TEST_TMPDIR/anchors"
    ls -- *.html | sort - "$BATS_TEST_TMPDIR/anchors" >"$BATS_TEST_TMPDIR/targets"
    grep -oE '(href|src)="[^"]+"' -- *.html | sed -E 's/:(href|src)="/ /; s/"$//' |
        awk '{ print $1, ($2 ~ /^#/ ? $1 $2 : $2) }' | sort -u >"$BATS_TEST_TMPDIR/links"
    awk 'FNR == NR { known[$0] = 1; next } $2 ~ /^[^\/]*\.html/ && !($2 in known) { print $1 ": " $2 }' \
        "$BATS_TEST_TMPDIR/targets" "$BATS_TEST_TMPDIR/links"
    grep -vE ' [^ /]*\.html' "$BATS_TEST_TMPDIR/links" | while read -r page file; do
        [ -e "$file" ] || echo "$page: $file"
    done
    cd - >/dev/null
}

# in_browser FOLDER WIDTHS PAGE...: a line `PAGE WIDTH: fits, N texts overlap` for each page at each width, or how much wider
# it is, as $browser shows them. A browser takes seconds to start, so that all of them are frames of one page.
in_browser() {
    local page width frames='' folder=$1 widths=$2
    shift 2
    for page; do
        sed 's|</body>|<script src="seen.js"></script></body>|' "$folder/$page.html" >"$folder/seen-$page.html"
        for width in $widths; do frames+="<iframe src=\"seen-$page.html\" width=$width height=900></iframe>"; done
    done
    cat >"$folder/seen.js" <<'JS'
addEventListener("load", () => {
    const root = document.documentElement, boxes = [...document.querySelectorAll("h1, h2, h3, td, dd, dt, li")]
        .filter((e) => !e.querySelector("td, dd, dt, li, h3") && e.innerText).map((e) => e.getBoundingClientRect());
    const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
    const overlaps = boxes.filter((a, i) => boxes.slice(i + 1, i + 200).some((b) => meet(a, b))).length;
    const page = location.pathname.match(/seen-(.*)\.html/)[1];
    parent.postMessage(`${page} ${innerWidth}: ${root.scrollWidth > innerWidth ? root.scrollWidth : "fits"}, ${overlaps} texts overlap`, "*");
});
JS
    cat >"$folder/seen.html" <<HTML
<!DOCTYPE html><html><head><script>
addEventListener("message", (e) => document.body.appendChild(document.createElement("p")).append(e.data));
</script></head><body>$frames</body></html>
HTML
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 \
        --dump-dom "file://$(realpath "$folder")/seen.html" 2>"$folder/seen.log" | grep -oP '<p>\K[^<]*' | sort
    rm -f "$folder"/seen*.html
}

@test "report: what has no section says none" {
    measure demo_copy demo_cuda
    sed -i '2,$s/\t[^\t]*$/\t-/' claims/demo/figures.tsv claims/demo/claims.tsv
    run -0 run/report $R
    grep -q '<code>demo-fig-1-1</code>' $R/report/figure-demo-fig-1-1.html
    run ! grep -rE 'section -|section">-' $R/report
}

@test "report: a claim leads to figure, experiment, command and data, and everything is escaped" {
    measure demo_copy demo_cuda
    mkdir -p $R/figures $R/tables
    echo '<svg xmlns="http://www.w3.org/2000/svg"><text>a figure</text></svg>' >$R/figures/demo-fig-1-1.svg
    echo '<table><tr><td>a table</td></tr></table>' >$R/tables/demo-tab-1-1.html
    run -0 run/report $R
    [ "$output" = "$R/report/index.html" ]
    local page
    page=$(<$R/report/figure-demo-fig-1-1.html)
    [[ $page == *'Copies &lt;fast&gt; &amp; slow'* && $page != *'<fast>'* ]]
    [[ $page == *'src="../figures/demo-fig-1-1.svg"'* ]]
    [[ $page == *'id="demo-c-1"'*'0.5 (0.4091 .. 0.5789)'*'&lt; 1 (thesis: 2)'* ]]
    [[ $page == *'href="mechanism-alpha.html#experiment-demo_copy"'*'<code>make -B demo_copy</code>'* ]]
    page=$(<$R/report/mechanism-alpha.html)
    [[ $page == *'id="experiment-demo_copy"'*'href="../demo_copy.csv"'*'href="figure-demo-fig-1-1.html#demo-c-1"'* ]]
    [[ $page == *'machine.html#node-1'* && $page == *'commit abc1234'* ]]
    [[ $(<$R/report/machine.html) == *'Test CPU &lt;9000&gt;'* ]]
    page=$(<$R/report/figure-demo-tab-1-1.html)
    [[ $page == *'<td>a table</td>'* && $page == *'with &quot;quotes&quot;'* ]]
    page=$(<$R/report/index.html)
    [[ $page == *'class="v0" style="flex-grow:1"'* && $page == *'not those of a GPU'* ]]
    [[ $page == *'href="thesis-demo.html"'* ]]
    [[ $(<$R/report/thesis-demo.html) == *'href="figure-demo-fig-1-1.html#demo-c-1"'* ]]
    [[ $(<$R/report/search.js) == *'"figure-demo-fig-1-1.html#demo-c-1"'*'"mechanism-alpha.html#experiment-demo_copy"'* ]]
    run ! grep -EiqR '(src|href)="?(https?:)?//|@import|url\(' $R/report
    [ -z "$(broken_links $R/report)" ]
    [[ $(<$R/report.html) == *report/index.html* ]]
}

@test "report: other recorded machines stand beside this one" {
    measure demo_copy
    mkdir -p results/other
    cp $R/demo_copy.json results/other
    awk -F, -v OFS=, '$2 == "fast" { $11 *= 4 } 1' $R/demo_copy.csv >results/other/demo_copy.csv
    run -0 run/report $R
    [[ $(<$R/report/figure-demo-fig-1-1.html) == *'id="demo-c-1"'*'0.5 (0.4091 .. 0.5789)'*'<dt>on other<dd>not reproduced, 2 '* ]]
    run -0 run/report results/other
    run ! grep -rq '<dt>on ' results/other/report # results/local is no record
    # A data base that was made anew since then has no verdicts.
    run -0 run/collect results/other
    run -0 run/report $R
    grep -q '<dt>on other<dd>not reproduced' $R/report/figure-demo-fig-1-1.html
}

@test "report: it replaces an older one as a whole, and leaves nothing when it fails" {
    measure demo_copy
    run -0 run/report $R
    touch $R/report/old.html
    run -0 run/report $R
    [ ! -e $R/report/old.html ]
    mkdir bin && printf '#!/bin/sh\nexit 1\n' >bin/cp && chmod +x bin/cp
    run ! env PATH="$PWD/bin:$PATH" run/report $R
    [ -s $R/report/index.html ]
    [ -z "$(ls -A $R | grep '^\.report')" ]
}

@test "report: without results it says so" {
    mkdir empty
    run -0 run/report empty
    grep -q 'No experiment was measured yet' empty/report/index.html
    [ -z "$(broken_links empty/report)" ]
}

@test "report of a recorded machine: every claim is there, no page is above 1 MB, no link is broken, no page overflows" {
    judge_recorded
    TOOLS=$MAIN/build/tools "$MAIN/run/report" "$MAIN/results/nvidia-h200"
    mkdir recorded # with what it leads to
    tar -C "$MAIN/results/nvidia-h200" --exclude=results.db -c . | tar -C recorded -x
    [ -z "$(broken_links recorded/report)" ]
    [ -z "$(find recorded/report -size +1000k)" ]
    for id in $(cut -f 1 "$MAIN"/claims/*/claims.tsv | grep -- -c-); do
        grep -q "href=\"[a-z0-9_-]*\.html#$id\"" recorded/report/thesis-${id%-c-*}.html || { echo "$id"; false; }
    done
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        skip 'no Chromium: ./setup --tests installs it'
    local pages=(index thesis-klein thesis-cui mechanism-blp figure-cui-fig-4-8 figure-cui-tab-4-1 figure-cui-tab-5-1 machine) some i
    if [ -n "${REPORT_LONG:-}" ]; then
        mapfile -t pages < <(cd recorded/report && ls -- *.html | sed 's/\.html$//')
    fi
    for ((i = 0; i < ${#pages[@]}; i += 20)); do
        some=("${pages[@]:i:20}")
        run -0 in_browser recorded/report '390 1280' "${some[@]}"
        diff <(printf '%s: fits, 0 texts overlap\n' "${some[@]/%/ 390}" "${some[@]/%/ 1280}" | sort) - <<<"$output" || { tail recorded/report/seen.log; false; }
    done
}

@test "explain: a claim, a figure and an experiment, on this machine and on the recorded ones" {
    measure demo_copy
    mkdir -p results/other
    cp $R/demo_copy.json results/other
    awk -F, -v OFS=, '$2 == "fast" { $11 *= 4 } 1' $R/demo_copy.csv >results/other/demo_copy.csv
    printf 'id\tbox\tseen\tdone\ndemo-c-1\treproduced\tother\tit could not fall\tdefended: it can\n' >claims/mended.tsv
    run -0 run/explain demo-c-1
    says 'An audit of its first query found: it could not fall. It stays: it can.'
    says 'demo-c-1, a claim of demo, section 1: Fast copies take less time than slow ones.'
    says 'Measured is: median time. The check: fast < slow.'
    says 'Judged by: < 1. Published: 2.'
    says 'It rests on the experiment demo_copy; again: make -B demo_copy.'
    says "  local: reproduced, measured 0.5 (0.4091 .. 0.5789) of the slow copy's time"
    says '  other: not reproduced, measured'
    run -0 run/explain demo-fig-1-1 demo_copy
    says 'It is drawn from demo_copy'
    says 'These claims rest on it: demo-c-1, demo-c-2.'
    says '  local: pass'
    says 'median times 0.001 s to 0.002 s'
    fails_with "unknown id 'nono'" run/explain nono
    fails_with "unknown id 'a'b'" run/explain "a'b"
    fails_with 'name an experiment, a figure or a claim' run/explain
    rm -r results
    fails_with 'no results at all' run/explain demo-c-1
}

@test "falsify: a claim that no wrong number makes fall is named" {
    measure demo_copy
    printf 'id\treason\n' >claims/unfalsified.tsv
    run -0 run/falsify $R
    says '1 of 1 reproduced claims fall under wrong numbers'
    echo "SELECT 'demo-c-3', 2, NULL, NULL, 'always';" >>claims/demo/demo-fig-1-1.sql
    run -3 run/falsify $R
    says 'no wrong number makes these fall: demo-c-3'
    printf 'demo-c-3\tit is a constant\n' >>claims/unfalsified.tsv
    run -0 run/falsify $R
    run -0 run/falsify --only ones,reversed $R
    says '1 of 2 reproduced claims fall'
    fails_with "unknown kind 'twos'" run/falsify --only twos $R
    for i in $(seq 16); do echo "x-$i	none"; done >>claims/unfalsified.tsv
    fails_with 'has more than 15 claims' run/falsify $R
}
