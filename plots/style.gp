# style.gp: the one look of all figures, and the functions that fetch their data. See README.md.
#
# plots/draw sets `format` (svg or png) and, in the environment: FILE (the picture), LABEL (the machine), ASK (the query
# program), QUERIES (who answers it), and SQL_ERRORS (a file for the complaints of queries: gnuplot itself does not see a
# failing pipe).

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
q(sql) = sprintf('< exec "$ASK" "$QUERIES" "%s" 2>>"$SQL_ERRORS"', sql)
# The rows of a query, as one string: a number, or a list for words() and word().
fetch(sql) = system(sprintf('exec "$ASK" "$QUERIES" "%s" 2>>"$SQL_ERRORS"', sql))
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
above_three_rows = "set multiplot layout 1, 2 margins 0.135, 0.98, 0.34, 0.9 spacing 0.1, 0;" \
    . "set key at screen 0.5, 0.11 center vertical maxrows 3 width -2"
# Two plots above one another, on the same axis x.
two_rows = "set multiplot layout 2, 1 margins 0.11, 0.98, 0.23, 0.93 spacing 0, 0.13;" \
    . "set key at screen 0.5, 0.06 center vertical maxrows 1 width 1; set title offset 0, -0.5; set grid noytics"
rows_above_a_tall_key = "set multiplot layout 2, 1 margins 0.11, 0.98, 0.27, 0.93 spacing 0, 0.13;" \
    . "set key at screen 0.5, 0.09 center vertical maxrows 2 width -3; set title offset 0, -0.5; set grid noytics"
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
# Everything that experiments measured, those that `where` names or all of a program. Of the rows that `where` names: the
# groups of bars, by images and nodes; the bars of a variant, @variant_bars being number i of `variants`; the least or the
# largest value. A value is an expression of the time %s.
runs_of(where) = '(' . fetch("SELECT group_concat('SELECT * FROM ' || id || '_median', ' UNION ALL ') FROM experiments " \
    . "WHERE status <> 'WAIVED' AND " . where) . ')'
runs(program) = runs_of("program = '" . program . "'")
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
published_knee(x, top) = q(sprintf('VALUES (%.9g, 0), (%.9g, %.9g)', x, x, top))
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

# ---- thread blocks ----
# The rows of a sweep of thread blocks with `share`, the kernel's least time / theirs, and what the interval of their time makes of it.
block_shares(experiment) = '(SELECT *, least_s / time_s AS share, least_s / (time_s + coalesce(spread_s, 0)) AS share_low, ' \
    . 'least_s / max(time_s - coalesce(spread_s, 0), 0.001 * time_s) AS share_high FROM (SELECT *, min(time_s) OVER (PARTITION BY variant) AS least_s FROM ' . experiment . '_median WHERE time_s > 0))'
# @block_map draws `cells`, a query of x, y, value and a text for the best one: block_cells() of one kernel, or common_cells(), the least
# share of any kernel. x and y reach to `side` at most, x * y to `threads`. `thesis` stands in the corner that has no blocks; `published_best`
# may be a thesis_block(). Blocks above one another that have the same of 20 colours are one box, for smaller pictures.
side = 64
threads = 1024
published_best = ''
block_cells(experiment, kernel, value) = sprintf("SELECT block_x AS x, block_y AS y, %s AS value, printf('%%.4g GFLOP/s', rate_gflops) AS text FROM %s " \
    . "WHERE variant = '%s'", value, block_shares(experiment), kernel)
common_cells(experiment) = "SELECT block_x AS x, block_y AS y, min(share) AS value, printf('%.2f with ', min(share)) || variant AS text FROM " \
    . block_shares(experiment) . ' GROUP BY 1, 2 HAVING count(*) = (SELECT count(DISTINCT variant) FROM ' . experiment . '_median)'
thesis_block(gpu, kernel) = fetch(sprintf("SELECT %s_ideal_thread_x, %s_ideal_thread_y, 'thesis, %s: best ' || %s_ideal_thread_x || ' x ' || " \
    . "%s_ideal_thread_y FROM %s WHERE benchmark = '%s'", gpu, gpu, gpu eq 'p100' ? 'P100' : 'V100', gpu, gpu, gpu eq 'p100' ? 'cui_tab_5_3' : 'cui_tab_5_4', kernel))
block_boxes = "SELECT x, min(y), max(y), (level + 0.5) / 20 * %.9g FROM (SELECT x, y, level, y - row_number() OVER (PARTITION BY x, level ORDER BY y) AS run " \
    . "FROM (SELECT x, y, min(19, CAST(20 * value / %.9g AS INTEGER)) AS level FROM (%s) WHERE max(x, y) <= %d AND x * y <= %d)) GROUP BY x, level, run"
# The best block as thesis_block() gives it: x, y and a text for the key. Both have a light ring that shows them on every colour.
best_block(cells) = fetch(sprintf("SELECT x, y, 'best: ' || x || ' x ' || y || ', ' || text FROM (%s) ORDER BY value DESC, x, y LIMIT 1", cells))
point_of(block) = q(block eq '' ? 'SELECT 1, 1 WHERE false' : sprintf('VALUES (%s, %s)', word(block, 1), word(block, 2)))
text_of(block) = block[strlen(word(block, 1) . word(block, 2))+3:]
set style line 31 linecolor rgb '#ffffff' linewidth 4 pointtype 6 pointsize 1
set style line 32 linecolor rgb '#D55E00' linewidth 2 pointtype 6 pointsize 1
set style line 33 linecolor rgb '#ffffff' linewidth 4 pointtype 4 pointsize 1.6
set style line 34 linecolor rgb '#000000' linewidth 1.5 pointtype 4 pointsize 1.6
block_axes = "extent = fetch(sprintf('SELECT max(value), min(%d, max(max(x), max(y))) FROM (%s)', side, cells)); top = word(extent, 1) + 0;" \
    . "side = int(word(extent, 2)); step = side < 8 ? 1 : side / 8; found = best_block(cells); set style fill solid 1 noborder;" \
    . "set xlabel 'threads of a block in x'; set ylabel 'threads of a block in y';" \
    . "set xrange [0.5:side+0.5]; set yrange [0.5:side+0.5]; set xtics out (1); set ytics out (1);" \
    . "do for [i = step:side:step] { set xtics add (i); set ytics add (i) }; unset grid; set rmargin 14;" \
    . "set label 998 thesis at graph 0.98, 0.95 right textcolor rgb grey; set cbrange [0:top]; set colorbox noborder; set cbtics scale 0; set cblabel offset 1;" \
    . "set palette maxcolors 20 defined (0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725')"
block_map = block_axes . "; plot q(sprintf(block_boxes, top, top, cells, side, threads)) using 1:2:($1-0.51):($1+0.51):($2-0.51):($3+0.51):4 with boxxyerror " \
    . "linecolor palette fillstyle solid 1 notitle, for [i = 31:32] point_of(found) using 1:2 with points linestyle i title i == 32 ? text_of(found) : ''," \
    . "for [i = 33:34] point_of(published_best) using 1:2 with points linestyle i title i == 34 ? text_of(published_best) : ''"
# Speed / best of blocks of 32 x `threads` / 32, by kernel in the order of table 5-1: groups of bars, the same for both nodes.
expert_bars(experiment, threads) = q(sprintf('SELECT p.rowid, share, share_low, share_high FROM cui_tab_5_1 AS p JOIN %s ON variant = benchmark ' \
    . 'WHERE block_x = 32 AND block_y = %d', block_shares(experiment), threads / 32))
expert_blocks = "groups = fetch('SELECT benchmark FROM cui_tab_5_1'); " . groups_x . "; set ylabel 'speed / best'; set yrange [0:1.1];" \
    . "plot for [i = 1:3] expert_bars(experiment, 32 * 2**i) using (bar($1, i, 3)):2:3:4:(bar_width(3)) " . measured_bars . " linestyle i title sprintf('%d threads: 32 x %d', 32 * 2**i, 2**i)," \
    . "0.2 linestyle 11 pointtype 0 title 'thesis: some reach only 0.2', 1 linestyle 8 title 'best block of the kernel'"

# ---- searches ----
# Boxes: rows of x, then the 5th, 25th, 50th, 75th and 95th percentile. @box_spread draws the middle half and whiskers from
# the 5th to the 95th, @box_middle the median over it; both want the function wide(x), the width.
box_spread = "using 1:3:2:6:5:(wide($1)) with candlesticks whiskerbars 0.6"
box_middle = "using ($1-wide($1)/2):4:(wide($1)):(0) with vectors nohead linecolor rgb '#000000' linewidth 2 notitle"
# The same columns of a query of x and value; a percentile is the least value that so many are not above.
percentile(p) = sprintf('min(value) FILTER (WHERE share >= %g)', p)
boxes(rows) = q(sprintf('SELECT x, %s, %s, %s, %s, %s FROM (SELECT x, value, cume_dist() OVER (PARTITION BY x ORDER BY value) AS share ' \
    . 'FROM (%s)) GROUP BY x', percentile(0.05), percentile(0.25), percentile(0.5), percentile(0.75), percentile(0.95), rows))
# Per variant and kernel of an experiment of tuner_replay: `place` of the kernel's group, r1 and r2, the least shares of the space that
# meet Standards 1 and 2 (median and 5th percentile above 0.95 of the optimum; without bound if none does), samples1 for r1 as
# a number of configurations, and n1 and n2, the ratios to those of random.
standards(experiment) = sprintf("(SELECT *, r1 / max(r1) FILTER (WHERE variant = 'random') OVER (PARTITION BY benchmark) AS n1, " \
    . "r2 / max(r2) FILTER (WHERE variant = 'random') OVER (PARTITION BY benchmark) AS n2 FROM (SELECT variant, benchmark, " \
    . "dense_rank() OVER (ORDER BY benchmark) AS place, min(samples) FILTER (WHERE best_median > 0.95) AS samples1, " \
    . "min(iif(best_median > 0.95, total_ratio, 9e999)) AS r1, min(iif(best_p05 > 0.95, total_ratio, 9e999)) AS r2 FROM %s_median " \
    . "GROUP BY variant, benchmark))", experiment)
search_groups(experiment) = fetch('SELECT DISTINCT benchmark FROM ' . experiment . '_median ORDER BY benchmark')
tuner_models = 'cart knn svm forest mlp'
all_standards = '(SELECT * FROM ' . standards('tuner_search') . ' UNION ALL SELECT * FROM ' . standards('partner_tuner_search') . ')' # both machines
published_point(x, y) = q(sprintf('VALUES (%.9g, %.9g)', x, y))
# The whole picture of the samples that models need beside random, after `experiment` and `standard`. Bars end at `most`; above such
# a bar stands its number, or `none` if the standard is not met at all.
sample_bars(m) = q(sprintf("SELECT place, min(n%d, most), iif(n%d > 1e9, 'none', iif(n%d > most, printf('%%.1f', n%d), '')) " \
    . "FROM %s, (SELECT %g AS most) WHERE variant = '%s' AND n%d IS NOT NULL", standard, standard, standard, standard, \
    standards(experiment), most, m, standard))
sample_bars_picture = "most = 2.0; groups = search_groups(experiment);" . groups_x . "; set ylabel 'samples / samples of random'; set yrange [0:most*1.15];" \
    . "plot for [i = 1:5] sample_bars(word(tuner_models, i)) using (bar($1, i, 5)):2:(bar_width(5)) with boxes linestyle i title word(tuner_models, i), " \
    . "for [i = 1:5] sample_bars(word(tuner_models, i)) using (bar($1, i, 5)):2:3 with labels font ',8' rotate by 90 left offset 0, 0.2 notitle, 1 linestyle 8 title 'random'," \
    . "for [v in '0.2 0.6'] real(v) linestyle 11 pointtype 0 title v eq '0.2' ? 'thesis: 0.2 to 0.6' : ''"

# ---- blocks over MPI ----
# A path looks the same in every figure: its line style stands at its place in the list. Dashed are those that differ from another one
# only in the host memory that they pass, or in what carries the chunks.
paths = 'host host-pageable host-pinned staged-pageable staged pipelined pipelined-shared cuda-aware peer-copy peer-store nccl limit'
path_lines = '7 27 7 21 1 3 23 2 4 5 6 8'
path_line(v) = int(sum [i = 1:words(paths)] (word(paths, i) eq v ? int(word(path_lines, i)) : 0))
path_title(v) = v eq 'limit' ? 'limit: peer copy' : v
# Those of the rows of an experiment that `where` names; key entries without data would take room.
paths_of(experiment, where) = fetch("SELECT variant FROM " . experiment . "_median WHERE " . where . " GROUP BY 1 ORDER BY instr('" . paths . " ', variant || ' ')")
# The range of block sizes of `experiment`, axes of time over it, and the rows of a path.
block_range = "low = fetch('SELECT 0.7 * min(block_elements) FROM ' . experiment . '_median');" \
    . "high = fetch('SELECT 1.4 * max(block_elements) FROM ' . experiment . '_median')"
block_times = block_range . ";" . elements_x . ";" . seconds_y . "; set logscale y; set key maxrows 3"
block_path(experiment, v) = series(experiment, 'block_elements', "variant = '" . v . "'")
# Between two GPUs: what names the rows of a mode (latency, bandwidth, both), the axis of block sizes, and of a path the columns bytes,
# bandwidth / that of the limit, low and high.
between_gpus(mode) = sprintf("pair = 'D D' AND stress = 0 AND mode = '%s'", mode)
gpu_sizes = "low = fetch('SELECT 0.6 * min(bytes) FROM rdma_pingpong_median'); high = fetch('SELECT 1.6 * max(bytes) FROM rdma_pingpong_median');" . bytes_x
path_shares(mode, v) = q(sprintf("SELECT bytes, l.time_s / b.time_s, l.time_low_s / b.time_high_s, l.time_high_s / b.time_low_s FROM rdma_pingpong_median AS b " \
    . "JOIN (SELECT bytes, time_s, time_low_s, time_high_s FROM rdma_pingpong_median WHERE %s AND variant = 'limit') AS l USING (bytes) " \
    . "WHERE %s AND variant = '%s' ORDER BY 1", between_gpus(mode), between_gpus(mode), v))
# Copies per block as bars, by path, those between two nodes first; of both ends, with `roles` peers 1 the sender, 2 the receiver, with
# server 1 the server, 2 the worker in a GET, 3 the worker, 4 the server in a PUT. @copy_axes wants `roles`; copy_bars(roles, k) gives
# place, copies and their number as text. The server's block is where it is in rdma_get.
counted(roles) = "(SELECT *, pair IN ('D H', 'D P') AS put, dense_rank() OVER (ORDER BY nodes DESC, instr('" . paths . " ', variant || ' ')) AS place " \
    . "FROM (SELECT variant, nodes, pair, median(sender_copies) AS sender, median(receiver_copies) AS receiver, row_number() OVER " \
    . "(PARTITION BY variant, nodes, pair IN ('D H', 'D P') ORDER BY (instr(pair, 'P') > 0) <> (variant = 'pipelined-shared')) AS nth FROM (" \
    . fetch("SELECT group_concat('SELECT * FROM ' || id, ' UNION ALL ') FROM experiments WHERE status <> 'WAIVED' AND program = 'rdma_copies'") \
    . ") WHERE status = 'pass' AND roles = '" . roles . "' GROUP BY variant, nodes, pair) WHERE nth = 1)"
copy_bars(roles, k) = q(sprintf("SELECT place, copies, printf('%%g', round(copies, 1)) FROM (SELECT place, 1 + 2 * put AS side, sender AS copies FROM %s " \
    . "UNION ALL SELECT place, 2 + 2 * put, receiver FROM %s) WHERE side = %d", counted(roles), counted(roles), k))
copy_axes = "groups = fetch('SELECT variant FROM ' . counted(roles) . ' GROUP BY place ORDER BY place');" . groups_x . "; set ylabel 'copies per block'; set ytics 1;" \
    . "set offsets graph 0, graph 0, graph 0.12, graph 0; set key maxrows 1;" \
    . "apart = fetch('SELECT count(DISTINCT place) FROM ' . counted(roles) . ' WHERE nodes = 2') + 0; if (apart > 0) {" \
    . "set arrow from first apart+0.5, graph 0 to first apart+0.5, graph 1 nohead linestyle 10; set label 'two nodes' at first apart+0.4, graph 0.95 right;" \
    . "set label 'one node' at first apart+0.6, graph 0.95 left }"
# What the thesis counts: place, end and copies. Page locking saves two sets of copies, which may be one or two at each end: both are drawn.
published_copies = "WITH thesis(variant, side, copies) AS (VALUES ('staged-pageable', 1, 3), ('staged-pageable', 2, 3), ('staged', 1, 2), ('staged', 2, 2), " \
    . "('staged', 1, 1), ('staged', 2, 1), ('cuda-aware', 1, 1), ('peer-copy', 1, 1), ('peer-store', 1, 1)) SELECT min(place), side, copies FROM thesis JOIN "

# ---- sparse products ----
# A format looks the same in every figure: its line style stands at its place in the list; dashed are those of cuSPARSE. A variant is a format
# with -cpu or -gpu, or one of cuSPARSE.
formats = 'csr hll hlg ell elg hyb coo csc copy cusparse-csr1 cusparse-csr2 cusparse-sell cusparse-coo'
format_lines = '1 2 2 3 4 5 6 7 8 21 27 22 26'
format_name(v) = v[1:8] eq 'cusparse' ? v : v[1:strlen(v)-4]
format_line(v) = int(sum [i = 1:words(formats)] (word(formats, i) eq format_name(v) ? int(word(format_lines, i)) : 0))
format_title(v) = format_name(v) eq 'copy' ? 'limit: copy' : format_name(v)
# Times of all formats of a `side` (cpu or gpu) over the rows of pde matrices.
sides(side) = sprintf("precision = 'double' AND (variant LIKE '%%-%s' OR ('%s' = 'gpu' AND variant LIKE 'cusparse%%')) AND variant NOT LIKE 'gemm%%' AND variant NOT LIKE 'triad%%'", side, side)
format_times = "set logscale xy; set format x '%.0s%c'; set xlabel 'rows'; set ylabel 'time of a product';" . seconds_y . "; set key maxrows 3;" \
    . "formats_here = fetch('SELECT variant FROM spmv_formats_median WHERE ' . sides(side) . ' GROUP BY 1 ORDER BY 1');" \
    . "plot for [v in formats_here] series('spmv_formats', 'rows', sides(side) . \" AND variant = '\" . v . \"'\") with yerrorlines linestyle format_line(v) title format_title(v)"
# Of each matrix of spmv_matrices the best own format on the GPU (own = 1) or the best of cuSPARSE: place, bandwidth / that of the limit, low, high, name.
best_formats(precision, own) = q(sprintf("SELECT place, b.bandwidth_gbs / l.bandwidth_gbs, b.bandwidth_gbs / l.bandwidth_gbs * b.time_s / b.time_high_s * l.time_low_s / l.time_s, " \
    . "b.bandwidth_gbs / l.bandwidth_gbs * b.time_s / b.time_low_s * l.time_high_s / l.time_s, replace(name, 'cusparse-', '') FROM (SELECT *, min(time_s), replace(variant, '-gpu', '') AS name " \
    . "FROM spmv_matrices_median WHERE precision = '%s' AND variant %s GROUP BY matrix) AS b JOIN spmv_matrices_median AS l USING (matrix, precision) JOIN %s USING (matrix) " \
    . "WHERE l.variant = 'copy-gpu'", precision, own ? "LIKE '%-gpu' AND variant NOT IN ('copy-gpu', 'gemm-gpu')" : "LIKE 'cusparse%'", matrix_places))
matrix_places = '(SELECT matrix, row_number() OVER (ORDER BY min(rowid)) AS place FROM spmv_matrices_median WHERE matrix <> ''dense'' GROUP BY matrix)'
matrix_names = "SELECT iif(instr(matrix, ':'), substr(matrix, 1, instr(matrix, ':') - 1), matrix) FROM " . matrix_places . ' ORDER BY place'

# How an algorithm shares the rows. `experiment` is one of spmv_hybrid; accurate(e) and coarse(e) are the numbers of samples that its models had;
# times are those with most threads.
algorithms = 'linear iterative hybrid cpu gpu'
algorithm_line(v) = int(word('1 2 3 25 27', int(sum [i = 1:5] (word(algorithms, i) eq v ? i : 0))))
accurate(e) = int(fetch('SELECT coalesce(max(points), 0) FROM ' . e . '_median'))
coarse(e) = int(fetch('SELECT coalesce(min(points), 0) FROM ' . e . '_median WHERE points > 0'))
shared_by(e, v, points) = sprintf("variant = '%s' AND points IN (0, %d) AND threads = (SELECT max(threads) FROM %s_median WHERE variant = '%s')", v, points, e, v)
over_fastest(e, v, points) = q(sprintf("SELECT rows, time_s / least_s, time_low_s / least_s, time_high_s / least_s FROM %s_median JOIN (SELECT rows, min(time_s) AS least_s FROM %s_median " \
    . "WHERE points = %d AND threads = (SELECT max(threads) FROM %s_median) GROUP BY rows) USING (rows) WHERE %s ORDER BY 1", e, e, points, e, shared_by(e, v, points)))
hybrid_times = two_panels . "; set key maxrows 1; set logscale x; set format x '%.0s%c'; set xlabel 'rows'; set ylabel 'time of a product';" . seconds_y . "; set logscale y;" \
    . "plot for [v in algorithms] series(experiment, 'rows', shared_by(experiment, v, points)) with yerrorlines linestyle algorithm_line(v) title v eq 'cpu' || v eq 'gpu' ? v . ' alone' : v;" \
    . "unset logscale y; set format y '%g'; set title 'beside the fastest'; set ylabel 'time / least of the three'; plot [] [0.9:*] for [v in 'linear iterative hybrid'] " \
    . "over_fastest(experiment, v, points) with yerrorlines linestyle algorithm_line(v) title '', 1 linestyle 8 title ''"
# The machine whose CPU and GPU are comparable, within a factor of 3 in time: this one, else the partner, else this one after all.
comparable(e) = fetch(sprintf("SELECT coalesce(median(c.time_s / g.time_s) BETWEEN 0.3333 AND 3, 0) FROM %s_median AS c JOIN %s_median AS g USING (rows) WHERE c.variant = 'cpu' " \
    . "AND g.variant = 'gpu' AND c.threads = (SELECT max(threads) FROM %s_median)", e, e, e)) + 0
desktop = "experiment = comparable('spmv_hybrid') ? 'spmv_hybrid' : comparable('partner_spmv_hybrid') ? 'partner_spmv_hybrid' : 'spmv_hybrid';" \
    . "kind_of_node = comparable(experiment) ? 'CPU and GPU comparable' : 'not comparable here';" \
    . "if (experiment ne 'spmv_hybrid') { set label 999 partner_fact('directory') . ', ' . partner_fact('device0_name') }"
# A step of the iterative algorithm at the largest size: the line from the GPU's rows to the CPU's at the common time.
split_steps = "FROM spmv_split WHERE variant = 'iterative' AND step > 0 AND points = (SELECT max(points) FROM spmv_split) AND rows = (SELECT max(rows) FROM spmv_split WHERE step > 0)"

# A strategy of the exchange looks the same in every figure. Columns x, throughput, low and high of a strategy; @exchange_throughputs draws all
# of the list `strategies` in `experiment` over x; where_rows may leave some out.
all_strategies = 'sync sg index-standard pinned index-pinned openmpi'
native_strategies = all_strategies[1:strlen(all_strategies)-8]
strategy_line(v) = int(word('7 1 3 4 2 5', int(sum [i = 1:6] (word(all_strategies, i) eq v ? i : 0))))
throughputs(e, x, where, v) = q(sprintf("SELECT %s, gflops, gflops * time_s / time_high_s, gflops * time_s / time_low_s FROM %s_median WHERE variant = '%s' AND %s ORDER BY 1", x, e, v, where))
edge_axes = "set xlabel 'edge of the cube (pde)'; set ylabel 'throughput (GFLOP/s)'; set yrange [0:*]"
edge_throughputs = edge_axes . "; plot for [v in native_strategies] throughputs(experiment, 'edge', 'true', v) with yerrorlines linestyle strategy_line(v) title v"
# The same over rows beside Open MPI; a grey line stands where the thesis has the change of ranking.
row_axes = "set logscale x; set format x '%.0s%c'; set xlabel 'rows'; set ylabel 'throughput (GFLOP/s)'; set yrange [0:*]"
row_throughputs = row_axes . "; most = fetch('SELECT max(gflops) FROM ' . experiment . \"_median WHERE variant IN ('pinned', 'index-pinned', 'openmpi')\") + 0;" \
    . "plot published_knee(1e6, most) with lines linestyle 11 title 'thesis: openmpi ahead from here'," \
    . "for [v in 'pinned index-pinned openmpi'] throughputs(experiment, 'rows', 'true', v) with yerrorlines linestyle strategy_line(v) title v"
# Weak scaling: nodes, throughput / that of one node, low and high.
weak_runs = '(' . fetch("SELECT coalesce(group_concat('SELECT * FROM ' || id || '_median', ' UNION ALL '), 'SELECT 1') FROM experiments WHERE status <> 'WAIVED' AND id LIKE 'spmv_exchange_weak%'") . ')'
weak_speedups(v) = q(sprintf("SELECT p.nodes, p.gflops / o.gflops, p.gflops / o.gflops * p.time_s / p.time_high_s * o.time_low_s / o.time_s, p.gflops / o.gflops * p.time_s / p.time_low_s " \
    . "* o.time_high_s / o.time_s FROM %s AS p JOIN %s AS o USING (variant) WHERE o.nodes = 1 AND variant = '%s' ORDER BY 1", weak_runs, weak_runs, v))

# ---- heterogeneous coarrays ----
# MPI, its variants, and coarrays look the same in all figures of them.
hetero_variants = 'caf-pin caf-um caf-device mpi-pinned mpi'
hetero_line(v) = int(sum [i = 1:words(hetero_variants)] (word(hetero_variants, i) eq v ? i : 0))
# SUMMA at its largest order with the best width of a panel: images, time, low and high. Those with a GPU for each image are
# in no figure.
summa_runs(figure) = runs_of("program = 'coarrays_summa' AND figures = '" . figure . "'")
summa_times(v) = q(sprintf("SELECT images, min(time_s), time_low_s, time_high_s FROM %s WHERE variant = '%s' AND [order] = (SELECT max([order]) FROM %s) " \
    . "GROUP BY images ORDER BY 1", summa_runs('fanfarillo-fig-7-1'), v, summa_runs('fanfarillo-fig-7-1')))
# Transfers of all pairs of images at once, over bytes: any metric.
contended(column, v) = metric('coarrays_contention', 'bytes', column, "variant = '" . v . "' AND pairs = (SELECT max(pairs) FROM coarrays_contention)")
# Throughput of pricing in 10^9 random values per second: x, median, low and high of the rows that `where` names. @values_y is its axis.
value_rates = '1e-9 * throughput_values, 1e-9 * throughput_values * time_s / time_high_s, 1e-9 * throughput_values * time_s / time_low_s'
values_y = "set ylabel '10^9 random values per second'; set yrange [0:*]"
option_rates(where) = q(sprintf('SELECT options, %s FROM coarrays_options_median WHERE %s ORDER BY 1', value_rates, where))
# Numbers of CPU threads that a variant was measured with.
option_threads(v) = fetch("SELECT DISTINCT threads FROM coarrays_options_median WHERE variant = '" . v . "' ORDER BY 1")
# Busy threads over queued options beside their limit, and throughput, by number of threads; wants the variant `v` and `limit` in SQL.
option_rows(column, v, threads) = q(sprintf("SELECT options, %s FROM coarrays_options_median WHERE variant = '%s' AND threads = %s ORDER BY 1", column, v, threads))
threads_title(n) = n . (n eq '1' ? ' thread' : ' threads')
occupancy = two_panels . "; counts = option_threads(v); set logscale xy 2; set xlabel 'queued options'; set ylabel 'busy threads'; set title v . ': threads with an option';" \
    . "plot for [n in counts] option_rows(limit, v, n) with lines linestyle 8 title n eq word(counts, 1) ? 'limit' : ''," \
    . "for [i = 1:words(counts)] option_rows('busy_threads', v, word(counts, i)) with points linestyle i title threads_title(word(counts, i));" \
    . "unset ylabel; set title '10^9 random values per second';" \
    . "plot for [i = 1:words(counts)] option_rows(value_rates, v, word(counts, i)) with yerrorlines linestyle i title ''"
# The best throughput of the CPU, of the GPU, and their sum, in groups 1, 2 and 3: group, median, low and high of mt or mo.
device_rates(v) = q(sprintf("WITH best AS (SELECT variant, 1e-9 * max(throughput_values) AS mid, 1e-9 * throughput_values * time_s / time_high_s AS low, 1e-9 * throughput_values * time_s / time_low_s AS high " \
    . "FROM coarrays_options_median WHERE variant IN ('%s-cpu', '%s-gpu') GROUP BY variant) SELECT 1 + (substr(variant, 4) = 'gpu'), mid, low, high FROM best " \
    . "UNION ALL SELECT 3, sum(mid), sum(low), sum(high) FROM best", v, v))
# Task sizes: options per request and a time, scaled to 0 at its least and 1 at its largest, of coarrays on one host.
task_sizes(column) = q(sprintf("WITH size AS (SELECT per_request AS k, min(%s) AS t FROM coarrays_pricing_median WHERE variant = 'caf-mt' AND progress = 'manual' " \
    . "AND per_request > 0 GROUP BY per_request), ends AS (SELECT min(t) AS low, max(t) AS high FROM size) SELECT k, (t - low) / (high - low) FROM size, ends ORDER BY 1", column))
# Bars of the list `versions` (a variant and its progress each) by hosts, with the best number of options per request; and their limit.
pricing_groups(e) = fetch("SELECT DISTINCT iif(nodes = 1, '''one host''', '''' || nodes || ' hosts (TCP)''') FROM " . e . ' ORDER BY nodes')
pricing_bars(e, version) = q(sprintf("SELECT place, 1e-9 * max(throughput_values), 1e-9 * throughput_values * time_s / time_high_s, 1e-9 * throughput_values * time_s / time_low_s FROM (SELECT *, dense_rank() OVER " \
    . "(ORDER BY nodes) AS place FROM %s) WHERE variant = '%s' AND progress LIKE '%s' GROUP BY place", e, word(version, 1), word(version, 2)))
pricing_limit(e) = q('SELECT dense_rank() OVER (ORDER BY nodes) - 0.45, 1e-9 * max(maximum_values) FROM ' . e . ' GROUP BY nodes')
version_title(version) = word(version, 1) . (word(version, 2) eq '%' ? '' : ', ' . word(version, 2))
version_line(version) = word(version, 1) eq 'mpi-mt' ? 5 : (word(version, 1) eq 'caf-mth' ? 3 : 1) + (word(version, 2) eq 'manual' ? 0 : word(version, 2) eq 'thread' ? 1 : 5)
# Without the long run, in which nobody waits at the end.
pricing_picture = "all = runs('coarrays_pricing'); all = '(SELECT * FROM ' . all . ' WHERE options = (SELECT min(options) FROM ' . all . '))'; groups = pricing_groups(all); " . groups_x . "; " . values_y . "; plot for [i = 1:words(versions)] pricing_bars(all, word(versions, i))" \
    . " using (bar($1, i, words(versions))):2:3:4:(bar_width(words(versions))) with boxerrorbars linestyle version_line(word(versions, i)) title version_title(word(versions, i))," \
    . "pricing_limit(all) using 1:2:(0.9):(0) with vectors nohead linestyle 8 title 'limit: sum of the devices alone'"

# ---- one-GPU programs on several GPUs ----
# Rows of an application as it is (on 1 device) or partitioned for d devices; the numbers of devices in an experiment; names in the key.
on_devices(app, d) = sprintf("app = '%s' AND devices = %s AND variant = '%s'", app, d, d eq '1' ? 'original' : 'partitioned')
device_counts(experiment, app) = fetch(sprintf("SELECT DISTINCT devices FROM %s_median WHERE app = '%s' ORDER BY 1", experiment, app))
devices_title(d) = d eq '1' ? 'original' : d . ' devices'
# Lines of `column` over the size, one for each number of devices; wants `experiment`, `app`, `column`.
device_lines = "counts = device_counts(experiment, app); plot for [i = 1:words(counts)] metric(experiment, 'size', column, " \
    . "on_devices(app, word(counts, i))) with yerrorlines linestyle i title devices_title(word(counts, i))"
# Seconds on a linear axis that starts at 0: @seconds_y would print 1.5 s and 2 s alike.
linear_seconds_y = "set format y '%.1s %cs'; set yrange [0:*]"
# Columns x, gain of a variant over the original in `column`, low and high; `share` is a factor in SQL, p being the variant's row.
gains(experiment, app, column, x, share, where) = q(sprintf("WITH m AS (SELECT size, iterations, variant, devices, median(%s) AS mid, interval_low(%s) AS low, " \
    . "interval_high(%s) AS high FROM %s WHERE status = 'pass' AND app = '%s' GROUP BY 1, 2, 3, 4) SELECT %s, %s * o.mid / p.mid, %s * o.low / p.high, " \
    . "%s * o.high / p.low FROM m AS p JOIN m AS o USING (size, iterations) WHERE o.variant = 'original' AND %s ORDER BY 1", \
    column, column, column, experiment, app, x, share, share, share, where))
# Spans of time as stacked bars over devices, at the least and the largest size; wants `app`. Left bars: broadcast, right bars: scatter.
# What kernel_s and the others leave of the original's time of launches is its kernels.
breakdown_parts = "'app_dtoh_s' 'coalesce(kernel_s, app_kernel_s)' 'coalesce(sync_comm_s, 0)' 'coalesce(dep_calc_s, 0)' 'app_htod_s'"
breakdown_titles = "'copies to host' kernels 'copies between devices' 'finding dependencies' 'copies to devices' other"
breakdown_sum(k) = k > 5 ? 'time_s' : k < 2 ? word(breakdown_parts, 1) : breakdown_sum(k - 1) . ' + ' . word(breakdown_parts, k)
breakdown_bars(size, htod, k) = q(sprintf("SELECT place, %s FROM (SELECT *, dense_rank() OVER (ORDER BY devices) AS place FROM partition_spans_median WHERE app = '%s' " \
    . "AND (variant = 'original' OR devices > 1 AND variant = 'partitioned') AND size = %s) WHERE htod = '%s' OR variant = 'original' AND '%s' = 'broadcast'", \
    breakdown_sum(k), app, size, htod, htod))
breakdown = "groups = device_counts('partition_spans', app); sizes = fetch(\"SELECT min(size), max(size) FROM partition_spans WHERE app = '\" . app . \"'\");" \
    . two_panels . ";" . groups_x . ";" . linear_seconds_y . "; set xlabel 'devices (left: broadcast, right: scatter)'; do for [p = 1:2] {" \
    . "set title app . ', size ' . word(sizes, p); plot for [h = 1:2] for [j = 1:6] breakdown_bars(word(sizes, p), word('broadcast scatter', h), 7 - j) " \
    . "using (bar($1, h, 2)):2:(0.95*bar_width(2)) with boxes linestyle int(word('7 5 4 3 1 2', j)) title h + p == 2 ? word(breakdown_titles, 7 - j) : '' }; unset multiplot"

# ---- partition: diagrams ----
# A device has the same colour in every diagram: that of its line style, from the eighth on a lighter tint of it; cells have its number besides.
channel(rgb, shift, share) = int(255 - share * (255 - (rgb >> shift & 255)))
tinted(rgb, share) = channel(rgb, 16, share) * 65536 + channel(rgb, 8, share) * 256 + channel(rgb, 0, share)
device_hues = colours[1:48] . '#808080'
device_colour(d) = d < 0 ? 0xf0f0f0 : tinted(int('0x' . word(device_hues, int(d) % 7 + 1)[2:7]), 0.65 - 0.22 * (int(d) / 7))
# Boxes of the columns x1, x2, y1, y2, device; texts of x, y, text.
device_boxes = "using (0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4:(device_colour($5)) with boxxyerror linecolor rgb variable fillstyle solid 1 border rgb '#ffffff' notitle"
cell_texts = "using 1:2:3 with labels notitle"
# @grid_cubes draws the blocks of a grid of three dimensions, one panel for each of the list `dimensions`, the parts drawn apart. Of each
# block three faces (top, front, right) in two lines of two corners; no sprintf, as gnuplot's holds no string as long as this query.
cube_faces = "corners(face, v, dx, dy, dz) AS (VALUES (1, 1, 0, 0, 1), (1, 2, 1, 0, 1), (1, 4, 0, 1, 1), (1, 5, 1, 1, 1), (2, 1, 0, 0, 0), (2, 2, 1, 0, 0), (2, 4, 0, 0, 1), " \
    . "(2, 5, 1, 0, 1), (3, 1, 1, 0, 0), (3, 2, 1, 1, 0), (3, 4, 1, 0, 1), (3, 5, 1, 1, 1)), blanks(v) AS (VALUES (3), (6), (7))"
cube_parts(dims) = "parts AS (SELECT *, 1.3 * offset_x / block_x AS x, 1.3 * offset_y / block_y AS y, 1.3 * offset_z / block_z AS z FROM partition_grids_median " \
    . "WHERE dims = '" . dims . "' AND rule = 'even' AND grid_z > 1 AND part >= 0)"
cube_blocks(dims) = '< exec "$ASK" "$QUERIES" "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 15), ' . cube_faces . ', ' . cube_parts(dims) \
    . ', blocks AS (SELECT part, device, x + a.i AS x, y + b.i AS y, z + c.i AS z FROM parts JOIN n AS a ON a.i < size_x JOIN n AS b ON b.i < size_y JOIN n AS c ON c.i < size_z)' \
    . " SELECT line FROM (SELECT part, x, y, z, face, v, (x + dx) || char(9) || (y + dy) || char(9) || (z + dz) || char(9) || device || char(9) || face AS line FROM blocks, corners" \
    . ' UNION ALL SELECT part, x, y, z, face, v, NULL FROM blocks, (SELECT DISTINCT face FROM corners), blanks) ORDER BY part, x, y, z, face, v" 2>>"$SQL_ERRORS"'
grid_cubes = "set style fill solid 1; set view 64, 32, 0.86, 1; set view equal xyz; set pm3d depthorder border linecolor rgb '#ffffff' linewidth 0.7; unset colorbox; unset border; unset tics;" \
    . "set label 1 'x' at 2.6, -0.7, -0.2 center textcolor rgb grey; set label 2 'y' at 6.1, 2.8, 0 center textcolor rgb grey; set label 3 'z' at -0.6, 0, 2.2 center textcolor rgb grey;" \
    . "set multiplot layout 2, 3 margins 0.02, 0.98, 0.13, 0.89 spacing 0.02, 0.1; set key at screen 0.32, 0.06 center center horizontal maxrows 1 samplen 0.5 width -4; do for [dims in dimensions] {" \
    . "set title 'along ' . dims; splot [0:5.5] [0:5.5] [0:5.5] cube_blocks(dims) using 1:2:3:(tinted(device_colour($4), $5 == 1 ? 0.75 : $5 == 2 ? 1 : 0.88)) " \
    . "with pm3d fillcolor rgb variable notitle, for [d = 0:3] keyentry with points pointtype 5 pointsize 1.6 linecolor rgb device_colour(d) title sprintf('device %d', d);" \
    . "unset key; do for [i = 4:999:995] { unset label i } }; unset multiplot"
# Parts of grids in blocks: x1, x2, y1, y2, device; numbers of devices in the middle of their part. `where` names the rows of partition_grids.
part_boxes(where) = q("SELECT offset_x / block_x, offset_x / block_x + size_x, offset_y / block_y, offset_y / block_y + size_y, device FROM partition_grids_median WHERE part >= 0 AND size_x > 0 AND size_y > 0 AND " . where)
part_names(where) = q("SELECT offset_x / block_x + size_x / 2.0, offset_y / block_y + size_y / 2.0, device FROM partition_grids_median WHERE part >= 0 AND size_x > 0 AND size_y > 0 AND " . where)
# @grid_panels draws the list `panels` of blocks in x/blocks in y/devices/rule, as 16/16/16/even, cut along both dimensions, so many `columns`.
field(panel, i) = system(sprintf('echo %s | cut -d / -f %d', panel, i))
grid_where(panel) = sprintf("grid_x = %s AND grid_y = %s AND grid_z = 1 AND devices = %s AND dims = 'xy' AND rule = '%s'", field(panel, 1), field(panel, 2), field(panel, 3), field(panel, 4))
grid_title(panel) = (columns > 2 ? '' : field(panel, 1) . ' x ' . field(panel, 2) . ' blocks, ') . field(panel, 3) . ' devices'
grid_rule(panel) = field(panel, 4) eq 'even' ? 'shortest borders' : "the thesis's rule"
block_lines(wide, high) = q(sprintf('WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT i, 0, 0, %d FROM n WHERE i < %d ' \
    . 'UNION ALL SELECT 0, i, %d, 0 FROM n WHERE i < %d', high, wide, wide, high))
grid_panels = "do for [i = 1:words(panels)] { panel = word(panels, i); wide = int(field(panel, 1)); high = int(field(panel, 2)); here = grid_where(panel); set title grid_title(panel);" \
    . "set ylabel i % columns == 1 ? grid_rule(panel) : ''; cut = fetch('SELECT coalesce(max(part), -2) + 1 FROM partition_grids_median WHERE ' . here) + 0; unset label 1;" \
    . "set xtics wide / 4 scale 0; set ytics high / 4 scale 0; set format y columns < 3 || i % columns == 1 ? '%g' : ''; if (cut < 1) { set label 1 cut ? 'no data' : 'refused' at graph 0.5, 0.5 center textcolor rgb grey };" \
    . "plot [0:wide] [high:0] part_boxes(here) " . device_boxes . ", block_lines(wide, high) with vectors nohead linecolor rgb '#ffffff' linewidth 0.3 notitle," \
    . "part_names(here) " . cell_texts . "; unset label 999 }; unset multiplot"
# One dimension on three devices: rows of boxes, their numbers, and what a part of the largest grid has: x, y and length of arrows, texts.
line_where = "dims = 'x' AND devices = 3 AND grid_y = 1 AND part >= 0 AND size_x > 0"
line_rows = '(SELECT *, dense_rank() OVER (ORDER BY grid_x) AS row, offset_x / block_x AS first FROM partition_grids_median WHERE ' . line_where . ')'
line_blocks = q('WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT first + i, first + i + 1, row - 0.3, row + 0.3, device FROM ' . line_rows . ' JOIN n ON i < size_x')
line_names = q('WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT first + i + 0.5, row, device FROM ' . line_rows . ' JOIN n ON i < size_x')
line_counts(rows) = fetch("SELECT '''' || grid_x || ' blocks''' FROM " . rows . ' GROUP BY row ORDER BY row')

# Elements of an example of partition_copies in rows of a diagram: `set` names rows by kind, launch, mode; columns k (element), part, sender, receiver.
elements_of(example, set) = sprintf("(WITH RECURSIVE n(k) AS (VALUES (0) UNION ALL SELECT k + 1 FROM n WHERE k < 99) SELECT k, part, [from] AS sender, [to] AS receiver " \
    . "FROM partition_copies_median JOIN n ON k >= begin AND k < end_element WHERE [case] = '%s' AND %s)", example, set)
accesses(kind, launch) = sprintf("kind = '%s' AND launch = %d", kind, launch)
in_mode(kind, mode) = sprintf("kind = '%s' AND mode = '%s'", kind, mode)
# Cells in the row, plus `step` for each device: x1, x2, y1, y2 and the device that accesses, or the one that wrote the element last.
set_cells(example, set, row, step) = q(sprintf('SELECT k - 0.5, k + 0.5, %g + %g * part - 0.35, %g + %g * part + 0.35, part FROM %s', row, step, row, step, elements_of(example, set)))
latest_cells(example, set, row, step) = q(sprintf('SELECT r.k - 0.5, r.k + 0.5, %g + %g * r.part - 0.35, %g + %g * r.part + 0.35, coalesce(o.part, -1) FROM %s AS r LEFT JOIN %s AS o USING (k)', \
    row, step, row, step, elements_of(example, set), elements_of(example, in_mode('owner', 'omega'))))
set_points(example, set, row, step) = q(sprintf('SELECT k, %g + %g * receiver FROM %s', row, step, elements_of(example, set)))
element_names(example, set, row, step) = q(sprintf('SELECT k, %g + %g * part, k FROM %s', row, step, elements_of(example, set)))
# From the element where it was written last to each that reads it, in x by reader: x, y and length.
read_arrows(example, launch, row, foreign) = q(sprintf('SELECT k + 0.3 * (r.part - 0.5 * (%d - 1)), 1.35 + o.part, 0, %g + r.part - o.part - 1.7 FROM %s AS r JOIN %s AS o USING (k) WHERE (r.part <> o.part) = %d', \
    devices, row, elements_of(example, accesses('read', launch)), elements_of(example, in_mode('owner', 'omega')), foreign))
elements_in(example) = fetch("SELECT max(end_element) FROM partition_copies_median WHERE [case] = '" . example . "'") + 0
# Two launches on `devices` devices in `example`, without copies between them: writes above, reads below.
access_rows = "row = devices + 1.8; most = elements_in(example); unset grid; set border 0; unset xtics; set ytics scale 0 ();" . "do for [d = 0:devices-1] {" \
    . "set ytics add (sprintf('A writes, device %d', d) d + 1, sprintf('B reads, device %d', d) row + d) };" \
    . "plot [-0.6:most-0.4] [row+devices-0.4:0.4] read_arrows(example, 1, row, 0) with vectors filled linecolor rgb '#a0a0a0' notitle," \
    . "set_cells(example, accesses('write', 0), 1, 1) " . device_boxes . ", latest_cells(example, accesses('read', 1), row, 1) " . device_boxes . "," \
    . "read_arrows(example, 1, row, 1) with vectors filled linecolor rgb '#000000' linewidth 1.5 title devices > 1 ? 'is on another device' : ''," \
    . "element_names(example, accesses('write', 0), 1, 1) " . cell_texts . ", element_names(example, accesses('read', 1), row, 1) " . cell_texts . "," \
    . "set_points(example, in_mode('stale', 'none'), row, 1) with points pointtype 4 pointsize 3 linewidth 2 linecolor rgb '#000000' title devices > 1 ? 'stale without a copy' : ''"
# Launches 0 and 1 write windows, launch 2 reads what either wrote; what copies from the last writer alone miss.
refinement_names = "'launch 1 writes' 'launch 2 writes' 'last writer' 'launch 3 reads: device 0' 'device 1' 'device 2' 'thesis: host gets'"
refinement_rows = "unset grid; set border 0; set tics scale 0; set ytics (); set xtics 4; set xlabel 'element of the mesh'; do for [i = 1:7] { set ytics add (word(refinement_names, i) i) };" \
    . "plot [-0.5:35.5] [7.6:0.4] for [i = 1:2] set_cells(example, accesses('write', i - 1), i, 0) " . device_boxes . ", set_cells(example, in_mode('owner', 'omega'), 3, 0) " . device_boxes . "," \
    . "latest_cells(example, accesses('read', 2), 4, 1) " . device_boxes . ", set_cells(example, in_mode('gather', 'last-writer'), 7, 0) " . device_boxes . "," \
    . "set_points(example, in_mode('copy', 'omega'), 4, 1) with points pointtype 7 pointsize 0.9 linecolor rgb '#000000' title 'copied by last writer of each element'," \
    . "set_points(example, in_mode('stale', 'last-writer'), 4, 1) with points pointtype 4 pointsize 1.9 linewidth 1.5 linecolor rgb '#000000' title 'stale if copied from the last launch alone'"
# The cells of the stencil's example on two devices, 6 x 6: texts, and what is copied, by kind; and the cells of a device with blocks of several sizes.
stencil_where = "dims = 'y' AND devices = 2"
stencil_cells = q('WITH RECURSIVE n(k) AS (VALUES (0) UNION ALL SELECT k + 1 FROM n WHERE k < 35) SELECT k % 6 + 0.5, k / 6 + 0.5, k FROM n')
stencil_copies(kind) = q('SELECT k % 6 + 0.5, k / 6 + 0.5 FROM ' . elements_of('fig20', in_mode(kind, 'omega')))
stencil_shares(device) = q('SELECT place, 6 * (min(6, offset_y + size_y * block_y) - min(6, offset_y)) FROM (SELECT *, dense_rank() OVER (ORDER BY block_y, block_x) AS place ' \
    . 'FROM partition_grids_median WHERE ' . stencil_where . ') WHERE device = ' . device)
device_bars = "with boxes linecolor rgb device_colour(d) fillstyle solid 1 title sprintf('device %d', d)"
stencil_blocks(where) = fetch("SELECT block_x || 'x' || block_y FROM partition_grids_median WHERE " . where . ' GROUP BY block_y, block_x ORDER BY block_y, block_x')
cell_frames(half) = sprintf('using 1:2:($1-%g):($1+%g):($2-%g):($2+%g) with boxxyerror fillstyle empty border rgb ', half, half, half, half)
row_frames = cell_frames(0.44) . "'#404040' linewidth 1 dashtype 3 linecolor rgb '#404040'"
read_frames = cell_frames(0.36) . "'#000000' linewidth 1.8 linecolor rgb '#000000'"
# What the copies between two launches of a kernel depend on, as the data base says: `graph_entities` has place, side (0: the launch before, 1: the launch),
# name, late (1: known at run time only), direct (1: not by way of the elements). @dependency_graph draws them after `kernel`.
graph_entities(kernel) = "(WITH access(side, kind, argument, names) AS (SELECT key = 'read parameter', substr(key, 1, instr(key, ' ') - 1), argument, value FROM partition_keys " \
    . "WHERE kernel = '" . kernel . "' AND key IN ('read parameter', 'write parameter') AND value <> ''), entity(side, rank, name, late, direct) AS (" \
    . "SELECT side, 0, 'kernel " . kernel . "', 0, 0 FROM access UNION ALL SELECT side, 1, 'argument ' || argument, 0, 0 FROM access UNION ALL SELECT side, 2, 'kind: ' || kind, 0, 0 FROM access " \
    . "UNION ALL SELECT side, 3 + j.key, j.value, 1, 0 FROM access, json_each('[' || char(34) || replace(names, ',', char(34) || ',' || char(34)) || char(34) || ']') AS j " \
    . "UNION ALL SELECT side, 98, 'parts of the grid', 1, 0 FROM access UNION ALL SELECT side, iif(side, -1, 99), 'buffer of ' || argument, 1, 1 FROM access) " \
    . 'SELECT row_number() OVER (ORDER BY side, rank) + side AS place, * FROM entity)'
graph_rows(columns, where) = '< exec "$ASK" "$QUERIES" "SELECT ' . columns . ' FROM ' . graph_entities(kernel) . ' WHERE ' . where . '" 2>>"$SQL_ERRORS"'
graph_middle(where) = fetch('SELECT avg(place) FROM ' . graph_entities(kernel) . ' WHERE ' . where) + 0
node(low, high, y) = q(sprintf('VALUES (%g, %g, %g, %g)', low, high, y - 1.2, y + 1.2))
node_box = "using (0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4 with boxxyerror fillstyle solid 1 border rgb '#404040' linecolor rgb '#f0f0f0' notitle"
entity_boxes = "using (0.5):1:(0):(1):($1-0.4):($1+0.4) with boxxyerror fillstyle solid 1 noborder linecolor rgb device_colour"
dependency_graph = "before = graph_middle('side = 0 AND direct = 0'); after = graph_middle('side = 1 AND direct = 0'); copies = graph_middle('true');" \
    . "unset border; unset tics; unset grid; do for [i = 0:1] { set label 1 + i sprintf(\"I: elements that the\\n%s\", i ? 'launch reads' : 'launch before writes') at 2, (i ? after : before) - 0.4 center front };" \
    . "set label 3 \"R: copies between\\ntheir devices\" at 3.5, copies - 0.4 center front; set arrow 1 from 2.5, before to 3.05, copies-0.4 linestyle 10; set arrow 2 from 2.5, after to 3.05, copies+0.4 linestyle 10;" \
    . "set yrange [*:*] reverse; plot [-0.05:4.05] graph_rows(sprintf('1, place, 0.5, iif(side = 0, %g, %g) - place', before, after), 'direct = 0') with vectors nohead linecolor rgb '#a0a0a0' notitle," \
    . "graph_rows(sprintf('1, place, 2.05, %g - place', copies), 'direct') with vectors nohead linecolor rgb '#a0a0a0' notitle," \
    . "for [late = 0:1] graph_rows('place', sprintf('late = %d', late)) " . entity_boxes . "(late ? 0 : 2) title late ? 'known at run time' : 'known at compile time'," \
    . "graph_rows('0.5, place, name', 'true') " . cell_texts . ", node(1.5, 2.5, before) " . node_box . ", node(1.5, 2.5, after) " . node_box . ", node(3.05, 3.95, copies) " . node_box
