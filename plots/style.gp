# style.gp: the one look of all figures, and the functions that fetch their data. See README.md.
#
# plots/draw sets `format` (svg or png) and, in the environment: FILE (the picture), LABEL (the machine), SQL (the query
# program), DATABASE, and SQL_ERRORS (a file for the complaints of queries: gnuplot itself does not see a failing pipe).

if (format eq 'svg') {
    set terminal svg size 720,440 font 'DejaVu Sans,13' background '#ffffff' noenhanced
} else {
    set terminal pngcairo size 1440,880 font 'DejaVu Sans,9.75' fontscale 2 linewidth 2 pointscale 2 dashlength 0.7 noenhanced
}
set output system('printf %s "$FILE"')
set encoding utf8
set micro
set datafile separator tab
set datafile missing ''

# Line styles 1 to 7: measured. The palette of Okabe and Ito (2008), which colour-blind readers can tell apart,
# without its yellow (too light on white). Line styles 11 to 17: published numbers, the hollow partners in grey.
# Line styles 21 to 27: measured, dashed, for the same thing under another condition.
colours = '#0072B2 #D55E00 #009E73 #E69F00 #CC79A7 #56B4E9 #000000'
filled = '7 5 9 13 11 15 3'
hollow = '6 4 8 12 10 14 2'
grey = '#707070'
do for [i = 1:words(colours)] {
    set style line i linecolor rgb word(colours, i) linewidth 1.6 pointtype int(word(filled, i)) pointsize 0.7
    set style line 20+i linecolor rgb word(colours, i) dashtype 2 linewidth 1.6 pointtype int(word(filled, i)) pointsize 0.7
    set style line 10+i linecolor rgb grey dashtype 2 linewidth 1.3 pointtype int(word(hollow, i)) pointsize 0.8
}
set style line 8 linecolor rgb '#000000' dashtype 3 linewidth 1.6 pointtype 0 # a limit: dashed, without points
set style line 9 linecolor rgb '#e4e4e4' # areas behind lines
set style line 10 linecolor rgb '#404040' linewidth 1 # lines that separate
set style fill solid 0.85 noborder
set errorbars small
set border 3 linecolor rgb '#404040'
set grid xtics ytics linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set tics nomirror scale 0.6, 0.3
set key below center horizontal Left reverse samplen 2.5 width 1 height 0.8
set size 1, 0.95
set origin 0, 0.05 # the strip below is for the machine's name
set label 999 system('printf %s "$LABEL"') at screen 0.985, 0.025 right font ',8' textcolor rgb grey

# ---- data ----
# The rows of a query, as a data file. The SQL may hold no double quotes, dollar signs or back quotes (a shell reads it).
q(sql) = sprintf('< "$SQL" -tabs "$DATABASE" "%s" 2>>"$SQL_ERRORS"', sql)
# The rows of a query, as one string: a number, or a list for words() and word().
fetch(sql) = system(sprintf('"$SQL" -tabs "$DATABASE" "%s" 2>>"$SQL_ERRORS"', sql))
# Columns x, median, low, high (95 % interval) of the time of an experiment: for `with yerrorlines`.
series(experiment, x, where) = q(sprintf('SELECT %s, time_s, time_low_s, time_high_s FROM %s_median WHERE %s ORDER BY 1', \
    x, experiment, where))
# The same of any other column of an experiment.
metric(experiment, x, column, where) = q(sprintf("SELECT %s, median(%s), interval_low(%s), interval_high(%s) FROM %s " \
    . "WHERE status = 'pass' AND %s GROUP BY 1 ORDER BY 1", x, column, column, column, experiment, where))
# The network that the ranks of an experiment used.
network(experiment) = fetch('SELECT group_concat(DISTINCT network) FROM ' . experiment)
# Columns x, y of a transcribed table: for `with linespoints linestyle 11`.
published(table, x, y) = q(sprintf('SELECT %s, %s FROM %s ORDER BY rowid', x, y, table))

# ---- axes (macros: write @seconds_y on a line of its own) ----
seconds_y = "set format y '%.0s %cs'"
byte_ticks = "('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 2**12, '64 KiB' 2**16, '1 MiB' 2**20, '16 MiB' 2**24, '256 MiB' 2**28, " \
    . "'4 GiB' 2**32, '' 4 1, '' 64 1, '' 2**10 1, '' 2**14 1, '' 2**18 1, '' 2**22 1, '' 2**26 1, '' 2**30 1)"
# Logarithmic sizes from `low` to `high`: in bytes, or in elements of 8 bytes with the bytes above.
bytes_x = "set logscale x; set xrange [low:high]; set xlabel 'block size'; set xtics " . byte_ticks
elements_x = "set logscale x; set xrange [low:high]; set format x '%.0s%c'; set xlabel 'block size (elements of 8 bytes)';" \
    . "set logscale x2; set x2range [8*low:8*high]; set border 7; set title offset 0, 0.4; set x2tics " . byte_ticks
# Two plots side by side with one key: give a title to the lines of the first only.
two_panels = "set multiplot layout 1, 2 margins 0.135, 0.98, 0.29, 0.9 spacing 0.1, 0;" \
    . "set key at screen 0.5, 0.11 center vertical maxrows 2 width -2"
# Two plots above one another, on the same axis x.
two_rows = "set multiplot layout 2, 1 margins 0.11, 0.98, 0.23, 0.93 spacing 0, 0.13;" \
    . "set key at screen 0.5, 0.06 center vertical maxrows 1 width 1; set title offset 0, -0.5; set grid noytics"
# The powers of ten around a value: the same logarithmic axis for both panels.
decade_below(x) = 10 ** floor(log10(x))
decade_above(x) = 10 ** ceil(log10(x))

# ---- grouped bars ----
# Groups stand at 1, 2, ... and are named by the list `groups`; bar k of n in a group is at `using (bar($1, k, n))`,
# @measured_bars takes x, median, low, high and width; @published_bars takes x, y and width and draws an outline;
# @bar_labels takes x, y and a text. Stacked bars: plot the sum, then its parts over it, `with boxes`.
bar_width(n) = 0.8 / (n < 3 ? 3 : n)
bar(group, k, n) = group + (k - (n + 1) / 2.0) * bar_width(n)
groups_x = "set xrange [0.5:words(groups)+0.5]; set grid noxtics; set xtics scale 0 (); set xlabel ' ';" \
    . "do for [g = 1:words(groups)] { set xtics add (word(groups, g) g) }; if (words(groups) > 5) { set xtics rotate by -18 font ',9' }"
# The bars of a group are named 1 to `most`, with the groups' names in the line below.
members_x = "do for [g = 1:words(groups)] { set xtics add (\"\\n\" . word(groups, g) g);" \
    . "do for [k = 1:most] { set xtics add (sprintf('%d', k) bar(g, k, most)) } }"
measured_bars = "with boxerrorbars"
published_bars = "with boxes fillstyle empty border rgb grey linecolor rgb grey dashtype 2 linewidth 1.5"
bar_labels = "with labels font ',8' offset 0, 0.6 notitle"

# ---- spans of time ----
# @spans takes begin, end, and the lower and upper edge of the bar.
spans = "using 1:3:1:2:3:4 with boxxyerror"

# ---- coarrays ----
# A variant looks the same in every figure: its line style is its place in the list.
coarray_variants = 'datamotion libcaf-mpi opencoarrays element mpi datamotion-c mpi-c memcpy'
coarray_line(v) = int(sum [i = 1:words(coarray_variants)] (word(coarray_variants, i) eq v ? i : 0))
coarray_title(v) = v eq 'libcaf-mpi' ? 'libcaf-mpi (thesis)' : v eq 'element' ? 'element (as Intel)' : v eq 'memcpy' ? 'limit: memcpy' : v
# The blocks that a figure calls small, and those that it calls big.
small_blocks = 'elements <= 512'
big_blocks = 'elements > 512'
all_blocks = 'true'
blocks_x = "set logscale x; set format x '%.0s%c'; set xlabel 'block size (elements of 8 bytes)'"
strides_x = "set logscale x 2; set format x '%g'; set xlabel 'stride (elements of 8 bytes)'"
rates_y = "set logscale y; set format y '%.0s %cB/s'"
# The medians of an experiment with their rates in byte/s; of a variant, the columns x, rate, low and high.
rates(experiment) = sprintf("(SELECT *, 8 * elements / time_s AS rate, 8 * elements / time_high_s AS low, " \
    . "8 * elements / time_low_s AS high FROM %s_median)", experiment)
transfers(experiment, x, where, v) = q(sprintf("SELECT %s, rate, low, high FROM %s WHERE %s AND variant = '%s' ORDER BY 1", \
    x, rates(experiment), where, v))
# Those of a list of experiments that were measured, not waived.
measured(list) = fetch("SELECT id FROM experiments WHERE status <> 'WAIVED' AND instr(' " . list . " ', ' ' || id || ' ') > 0")
# Everything that a program measured. Of the rows that `where` names: the groups of bars, by images and nodes; the bars
# of a variant, @variant_bars being number i of `variants`; the least or the largest value. A value is an expression
# of the time %s.
runs(program) = '(' . fetch("SELECT group_concat('SELECT * FROM ' || id || '_median', ' UNION ALL ') FROM experiments " \
    . "WHERE status <> 'WAIVED' AND program = '" . program . "'") . ')'
image_groups(program, where) = fetch(sprintf("SELECT '''' || ranks || iif(nodes > 1, ' on' || char(10) || nodes || ' nodes', '') || '''' " \
    . "FROM %s WHERE %s GROUP BY nodes, ranks ORDER BY nodes, ranks", runs(program), where))
image_bars(program, where, value, v) = q(sprintf("SELECT place, %s, %s, %s FROM (SELECT *, dense_rank() OVER (ORDER BY nodes, ranks) AS place " \
    . "FROM %s WHERE %s) WHERE variant = '%s'", sprintf(value, 'time_s'), sprintf(value, 'time_low_s'), sprintf(value, 'time_high_s'), \
    runs(program), where, v))
extreme(which, program, where, value) = fetch(sprintf('SELECT %s(%s) FROM %s WHERE %s', which, sprintf(value, 'time_s'), runs(program), where))
variant_bars = "using (bar($1, i, words(variants))):2:3:4:(bar_width(words(variants))) with boxerrorbars linestyle coarray_line(word(variants, i))"

# ---- pipeline ----
# The fastest configuration of each variant and workload of an experiment, with the place of the workload's group of bars; the
# groups' names; and the workloads' bars of a variant: place, an expression of a row b and the naive row n, its low and high.
fastest(experiment) = '(SELECT *, dense_rank() OVER (ORDER BY benchmark, size) AS place FROM (SELECT *, row_number() OVER ' \
    . '(PARTITION BY benchmark, size, variant ORDER BY time_s) AS nth FROM ' . experiment . '_median) WHERE nth = 1)'
workload_groups(experiment) = fetch("SELECT '''' || benchmark || iif(count(*) OVER (PARTITION BY benchmark) > 1, char(10) || dataset, '') " \
    . "|| '''' FROM (SELECT DISTINCT benchmark, dataset, size FROM " . experiment . '_median) ORDER BY benchmark, size')
workload_bars(experiment, value, v) = q(sprintf("SELECT b.place, %s FROM %s AS b JOIN %s AS n USING (benchmark, size) " \
    . "WHERE b.variant = '%s' AND n.variant = 'naive'", value, fastest(experiment), fastest(experiment), v))
speedup = 'n.time_s / b.time_s, n.time_low_s / b.time_high_s, n.time_high_s / b.time_low_s'
memory_mb = '1e-6 * coalesce(b.used_bytes, b.device_bytes)'
# Columns x, speedup over naive, low and high of a variant.
speedups(experiment, x, where, v) = q(sprintf("SELECT b.%s, %s FROM %s_median AS b JOIN %s_median AS n USING (benchmark, size) " \
    . "WHERE b.variant = '%s' AND n.variant = 'naive' AND %s ORDER BY 1", x, speedup, experiment, experiment, v, where))

# ---- managed memory ----
# Bars of the versions of a loop, in groups by the column x of the rows that `where` names: names of the groups (x as a
# number in sprintf's format), and x, value, low and high of a version. A value is an expression of the time %s, in rows
# that also have base_s, the time of framework in the same group.
unified_rows(experiment, x, where) = sprintf("(SELECT *, dense_rank() OVER (ORDER BY %s) AS place, max(time_s) FILTER (WHERE " \
    . "variant = 'framework') OVER (PARTITION BY %s) AS base_s FROM %s_median WHERE %s)", x, x, experiment, where)
unified_groups(experiment, x, where, format) = fetch(sprintf("SELECT DISTINCT '''' || printf('%s', %s) || '''' FROM %s ORDER BY place", \
    format, x, unified_rows(experiment, x, where)))
unified_bars(experiment, x, where, value, v) = q(sprintf("SELECT place, %s, %s, %s FROM %s WHERE variant = '%s' AND time_s > 0", \
    sprintf(value, 'time_s'), sprintf(value, 'time_low_s'), sprintf(value, 'time_high_s'), unified_rows(experiment, x, where), v))

# ---- block-level pipelining ----
# Columns x, bandwidth in GB/s, low and high of the rows that `where` names, of an experiment with a column bytes; the best one.
bandwidths(experiment, x, where) = q(sprintf('SELECT %s, 1e-9 * bytes / time_s, 1e-9 * bytes / time_high_s, 1e-9 * bytes / time_low_s ' \
    . 'FROM %s_median WHERE %s ORDER BY 1', x, experiment, where))
best_bandwidth(experiment, where) = fetch(sprintf('SELECT max(1e-9 * bytes / time_s) FROM %s_median WHERE %s', experiment, where)) + 0
bandwidth_y = "set format y '%g GB/s'; set ylabel 'bandwidth'"
# Columns x, speedup over sync, low and high of a variant in rows such as blp_gemm_median or fastest('blp_datasets').
over_sync(rows, x, v) = q(sprintf("SELECT b.%s, %s FROM %s AS b JOIN %s AS n USING (benchmark, size) WHERE b.variant = '%s' AND " \
    . "n.variant = 'sync' AND b.time_s > 0 ORDER BY 1", x, speedup, rows, rows, v))
# A vertical grey line at x, from 0 to `top`: where the thesis has a knee.
published_knee(x, top) = q(sprintf('VALUES (%d, 0), (%d, %.9g)', x, x, top))
# The second node of a figure is another recorded machine, the partner: its tables are named partner_<experiment>.
partner_fact(name) = fetch("SELECT coalesce(max(value), 'another machine') FROM partner_machine WHERE name = '" . name . "'")
rows_of(experiment) = int(fetch('SELECT count(*) FROM ' . experiment . '_median WHERE time_s > 0'))
# Both nodes in one picture: the experiment's tables, those of the partner only if it has rows, and what their titles end in.
nodes_of(experiment) = experiment . (rows_of('partner_' . experiment) > 0 ? ' partner_' . experiment : '')
of_node(i) = i > 1 ? ', ' . partner_fact('device0_name') : ''
# The whole picture, after `experiment` and the title: it is of the partner, or says that there are no such rows.
second_node = "set label 999 partner_fact('directory') . ', ' . partner_fact('device0_name'); if (rows_of(experiment) == 0) {" \
    . "set label 1 'no data of a second machine for ' . experiment[9:] at graph 0.5, 0.5 center font ',14' textcolor rgb grey;" \
    . "set label 999 ''; unset border; unset tics; unset grid; unset key; plot [0:1] [0:1] NaN; exit }"

# ---- heat maps ----
# `cells` is a query of x, y, number and colour, the latter from -1 (blue) over 0 (white) to 1 (red). @heat_map draws them, the
# values of x and y as names at equal distances. `colour_names` are those of -1, 0 and 1; `thesis` is a grey line below.
heat(columns) = q(sprintf('SELECT dense_rank() OVER (ORDER BY x), dense_rank() OVER (ORDER BY y), %s FROM (%s)', columns, cells))
heat_names(x) = fetch(sprintf('SELECT DISTINCT %s FROM (%s) ORDER BY 1', x, cells))
heat_axes = "set xtics scale 0 (); set ytics scale 0 (); heat_xs = heat_names('x'); heat_ys = heat_names('y');" \
    . "do for [i = 1:words(heat_xs)] { set xtics add (word(heat_xs, i) i) }; do for [i = 1:words(heat_ys)] { set ytics add (word(heat_ys, i) i) };" \
    . "set xrange [0.5:words(heat_xs)+0.5]; set yrange [0.5:words(heat_ys)+0.5]; unset grid; unset border; unset key;" \
    . "set bmargin 5.5; set rmargin 13; set label 998 thesis at screen 0.46, 0.1 center textcolor rgb grey;" \
    . "set palette defined (-1 '#6aa5de', 0 '#ffffff', 1 '#f2816f'); set cbrange [-1:1]; set colorbox noborder;" \
    . "set cbtics scale 0 (word(colour_names, 1) -1, word(colour_names, 2) 0, word(colour_names, 3) 1)"
heat_map = heat_axes . "; plot heat('number, colour') using 1:2:(column(1)-0.49):(column(1)+0.49):(column(2)-0.48):(column(2)+0.48):4 " \
    . "with boxxyerror linecolor palette fillstyle solid 1, heat('number') using 1:2:(sprintf('%.2f', column(3))) with labels"
# The cells of async by streams and chunks: its speedup over sync, coloured by the time of blp / its own. `kernel` is its name.
async_cells = "SELECT a.streams AS x, a.chunks AS y, n.time_s / a.time_s AS number, max(-1, min(1, log(b.time_s / a.time_s) / log(2))) AS colour " \
    . "FROM %s_median AS a JOIN %s_median AS n USING (size) JOIN %s_median AS b USING (size) WHERE a.variant = 'async' AND n.variant = 'sync' AND b.variant = 'blp'"
blp_speedup(experiment) = fetch(sprintf("SELECT max(n.time_s / b.time_s) FROM %s_median AS n JOIN %s_median AS b USING (size) " \
    . "WHERE n.variant = 'sync' AND b.variant = 'blp'", experiment, experiment)) + 0
async_heat_map = "cells = sprintf(async_cells, experiment, experiment, experiment); colour_names = 'half equal twice';" \
    . "set xlabel 'streams'; set ylabel 'chunks'; set cblabel 'speed of async beside blp' offset 2;" \
    . "set title sprintf('%s: speedup of async over sync; of blp %.2f', kernel, blp_speedup(experiment));" . heat_map
