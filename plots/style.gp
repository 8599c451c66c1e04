# style.gp: the one look of all figures, and the functions that fetch their data. What one mechanism's figures share is
# in its file (coarrays.gp, ...), which a figure loads after this one. See README.md.
#
# plots/draw sets `format` (svg or png) and, in the environment: FILE (the picture), LABEL (the machine), ASK (the query
# program), QUERIES (who answers it), and SQL_ERRORS (a file for the complaints of queries: gnuplot itself does not see
# a failing pipe).

if (format eq 'svg') {
    set terminal svg size 720,440 font 'DejaVu Sans,13' background '#ffffff' noenhanced
} else {
    set terminal pngcairo size 1440,880 font 'DejaVu Sans,9.75' fontscale 2 linewidth 2 pointscale 2 \
        dashlength 0.7 noenhanced
}
set output system('printf %s "$FILE"')
set encoding utf8
set micro
set datafile separator tab
set datafile missing ''

# Line styles 1 to 7: measured. The palette of Okabe and Ito (2008), which colour-blind readers can tell apart,
# without its yellow (too light on white). Line styles 11 to 17: published numbers, the hollow partners in grey.
# Line styles 21 to 27: measured, dashed, for the same thing under another condition. draw gives these colours, black,
# white and the greys below others where a page is dark (dark.css); `ink` stays black, for texts on coloured cells.
colours = '#0072B2 #D55E00 #009E73 #E69F00 #CC79A7 #56B4E9 #000000'
filled = '7 5 9 13 11 15 3'
hollow = '6 4 8 12 10 14 2'
grey = '#707070'
ink = '#000001'
do for [i = 1:words(colours)] {
    set style line i linecolor rgb word(colours, i) linewidth 1.6 pointtype int(word(filled, i)) pointsize 0.7
    set style line 20+i linecolor rgb word(colours, i) dashtype 2 linewidth 1.6 pointtype int(word(filled, \
        i)) pointsize 0.7
    set style line 10+i linecolor rgb grey dashtype 2 linewidth 1.3 pointtype int(word(hollow, i)) pointsize 0.8
}
# A limit: dashed, without points; areas behind lines; lines that separate.
set style line 8 linecolor rgb '#000000' dashtype 3 linewidth 1.6 pointtype 0
set style line 9 linecolor rgb '#e4e4e4'
set style line 10 linecolor rgb '#404040' linewidth 1
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
# The rows of a query, as a data file. The SQL may hold no double quotes, dollar signs or back quotes (a shell reads
# it). No sprintf: gnuplot's holds no string as long as some queries.
q(sql) = '< exec "$ASK" "$QUERIES" "' . sql . '" 2>>"$SQL_ERRORS"'
# The rows of a query, as one string: a number, or a list for words() and word().
fetch(sql) = system('exec "$ASK" "$QUERIES" "' . sql . '" 2>>"$SQL_ERRORS"')
number(sql) = fetch(sql) + 0
# The columns of those rows that `where` names, ordered by the first.
pick(columns, rows, where) = q('SELECT ' . columns . ' FROM ' . rows . ' WHERE ' . where . ' ORDER BY 1')
# What claims judge stands in views (claims/views). Of the view's rows of one experiment those that `where` names: any
# columns, or x, mid, low and high. Of partner_<experiment> they are the second machine's.
of(experiment, view) = '(SELECT * FROM ' . (experiment[1:8] eq 'partner_' ? 'partner_' : '') . view \
    . " WHERE experiment = replace('" . experiment . "', 'partner_', ''))"
judged(view, x, where) = pick(x . ', mid, low, high', view, where)
# Columns x, median, low, high (95 % interval) of the time of an experiment: for `with yerrorlines`.
series(experiment, x, where) = pick(x . ', time_s, time_low_s, time_high_s', experiment . '_median', where)
# The same of any other column of an experiment.
metric(experiment, x, column, where) = pick(sprintf('%s, median(%s), interval_low(%s, rep), interval_high(%s, ' \
    . 'rep)', x, column, column, column), experiment, "status = 'pass' AND " . where . ' GROUP BY 1')
# The same of a value that an expression of the time %s gives: value, low, high.
timed(value) = sprintf(value, 'time_s') . ', ' . sprintf(value, 'time_low_s') . ', ' . sprintf(value, 'time_high_s')
# The network that the ranks of an experiment used.
network(experiment) = fetch('SELECT group_concat(DISTINCT network) FROM ' . experiment)
# Those of a list of experiments that were measured, not waived; all rows of those that `where` names, or of a program.
measured(list) = fetch("SELECT id FROM experiments WHERE status <> 'WAIVED' AND instr(' " . list \
    . " ', ' ' || id || ' ') > 0")
runs_of(where) = '(' . fetch("SELECT coalesce(group_concat('SELECT * FROM ' || id || '_median', ' UNION ALL '), " \
    . "'SELECT 1') FROM experiments WHERE status <> 'WAIVED' AND " . where) . ')'
runs(program) = runs_of("program = '" . program . "'")
# Place of a word in a list, from 1; 0 if it is not there.
place_in(list, w) = int(sum [i = 1:words(list)] (word(list, i) eq w ? i : 0))
# Columns x, y of a transcribed table: for `with linespoints linestyle 11`. The i-th number of a claim's thesis_value
# (of '4x32; 893.3' 4, 32 and 893.3), or of its statement. A vertical line from 0 to `top` and a point at such numbers.
published(table, x, y) = q(sprintf('SELECT %s, %s FROM %s ORDER BY rowid', x, y, table))
number_of(column, id, i) = real(system('"$ASK" "$QUERIES" "SELECT ' . column . " FROM claims WHERE id = '" . id \
    . "'" . '" 2>>"$SQL_ERRORS" | grep -oE "[0-9]+([.][0-9]+)?" | sed -n ' . i . 'p'))
thesis(id, i) = number_of('thesis_value', id, i)
stated(id, i) = number_of('statement', id, i)
# What a claim, or claim/part, asks for at least or at most.
aim(id) = number("SELECT iif(lower > -9e99, lower, upper) FROM bounds WHERE claim || iif(part = '', '', '/' || part) " \
    . "= '" . id . "'")
published_knee(x, top) = q(sprintf('VALUES (%.9g, 0), (%.9g, %.9g)', x, x, top))
published_point(x, y) = q(sprintf('VALUES (%.9g, %.9g)', x, y))

# ---- another machine ----
# The second node of a figure is another recorded machine, the partner: its tables are named partner_<experiment>.
partner_fact(name) = fetch("SELECT coalesce(max(value), 'another machine') FROM partner_machine WHERE name = '" . name \
    . "'")
rows_of(experiment) = number('SELECT count(*) FROM ' . experiment . '_median WHERE time_s > 0')
# Both nodes in one picture: the experiment's tables, those of the partner only if it has rows, and how titles end.
nodes_of(experiment) = experiment . (rows_of('partner_' . experiment) > 0 ? ' partner_' . experiment : '')
of_node(i) = i > 1 ? ', ' . partner_fact('device0_name') : ''
# The whole picture, after `experiment` and the title: it is of the partner, or says that there are no such rows.
partner_label = "set label 999 partner_fact('directory') . ', ' . partner_fact('device0_name')"
second_node = partner_label . "; if (rows_of(experiment) == 0) { set label 999 ''; unset border; unset tics;unset " \
    . "grid; unset key; set label 1 'no data of a second machine for ' . experiment[9:] at graph 0.5, 0.5 center " \
    . "font ',14' textcolor rgb grey; plot [0:1] [0:1] NaN; exit }"

# ---- axes (macros: write @seconds_y on a line of its own) ----
seconds_y = "set format y '%.0s %cs'"
# Seconds on a linear axis that starts at 0: @seconds_y would print 1.5 s and 2 s alike.
linear_seconds_y = "set format y '%.1s %cs'; set yrange [0:*]"
byte_ticks = "('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 2**12, '64 KiB' 2**16, '1 MiB' 2**20, '16 MiB' 2**24,'256 " \
    . "MiB' 2**28, '4 GiB' 2**32, '' 4 1, '' 64 1, '' 2**10 1, '' 2**14 1, '' 2**18 1, '' 2**22 1, '' 2**26 1,'' " \
    . "2**30 1)"
# Logarithmic sizes from `low` to `high`: in bytes, or in elements of 8 bytes with the bytes above.
bytes_x = "set logscale x; set xrange [low:high]; set xlabel 'block size'; set xtics " . byte_ticks
counts_x = "set logscale x; set format x '%.0s%c'"
elements_x = counts_x . "; set xrange [low:high]; set xlabel 'block size (elements of 8 bytes)'; set border 7;set " \
    . "logscale x2; set x2range [8*low:8*high]; set title offset 0, 0.4; set x2tics " . byte_ticks
# The range of block sizes of `experiment`.
block_range = "low = fetch('SELECT 0.7 * min(block_elements) FROM ' . experiment . '_median');high = fetch('SELECT " \
    . "1.4 * max(block_elements) FROM ' . experiment . '_median')"
rates_y = "set logscale y; set format y '%.0s %cB/s'"
bandwidth_y = "set format y '%g GB/s'; set ylabel 'bandwidth'"
# Two plots side by side with one key: give a title to the lines of the first only.
panels(bottom, rows) = sprintf("set multiplot layout 1, 2 margins 0.135, 0.955, %g, 0.9 spacing 0.1, 0;", bottom) \
    . sprintf("set key at screen 0.5, 0.11 center vertical maxrows %d width -2", rows)
two_panels = panels(0.29, 2)
above_three_rows = panels(0.34, 3)
# Two plots above one another, on the same axis x.
stacked(bottom, key) = sprintf("set multiplot layout 2, 1 margins 0.11, 0.98, %g, 0.93 spacing 0, 0.13;", bottom) \
    . "set key at screen 0.5, " . key . "; set title offset 0, -0.5; set grid noytics"
two_rows = stacked(0.23, '0.075 center vertical maxrows 1 width 1')
rows_above_a_tall_key = stacked(0.27, '0.09 center vertical maxrows 2 width -3')
# The powers of ten around a value: the same logarithmic axis for both panels.
decade_below(x) = 10 ** floor(log10(x))
decade_above(x) = 10 ** ceil(log10(x))

# ---- grouped bars ----
# Groups stand at 1, 2, ... and are named by the list `groups`; bar k of n in a group is at `using (bar($1, k, n))`,
# @measured_bars takes x, median, low, high and width; @published_bars takes x, y and width and draws an outline;
# @bar_labels takes x, y and a text. Stacked bars: plot the sum, then its parts over it, `with boxes`.
bar_width(n) = 0.8 / (n < 3 ? 3 : n)
bar(group, k, n) = group + (k - (n + 1) / 2.0) * bar_width(n)
groups_x = "set xrange [0.5:words(groups)+0.5]; set grid noxtics; set xtics scale 0 (); set xlabel ' ';do for [g = " \
    . "1:words(groups)] { set xtics add (word(groups, g) g) };if (words(groups) > 5) { set xtics rotate by -18 font " \
    . "',9' }"
measured_bars = "with boxerrorbars"
published_bars = "with boxes fillstyle empty border rgb grey linecolor rgb grey dashtype 2 linewidth 1.5"
# On a logarithmic axis a bar has no foot: points in the bars' places, and lines between the groups.
measured_points = "with yerrorbars"
published_points = "with points linestyle 11 pointsize 1.2 linewidth 1.8"
points_x = "unset arrow; do for [g = 1:words(groups)-1] { set arrow from g+0.5, graph 0 to g+0.5, graph 1 nohead " \
    . "back linecolor rgb '#d8d8d8' linewidth 0.5 };" . groups_x
bar_labels = "with labels font ',8' offset 0, 0.6 notitle"
upright_labels = "with labels font ',8' rotate by 90 left offset 0, 0.2 notitle"

# ---- spans of time ----
# @spans takes begin, end, and the lower and upper edge of the bar.
spans = "using 1:3:1:2:3:4 with boxxyerror"

# ---- boxes ----
# Rows of x, then the 5th, 25th, 50th, 75th and 95th percentile. @box_spread draws the middle half and whiskers from the
# 5th to the 95th, @box_middle the median over it; both want the function wide(x), the width.
box_spread = "using 1:3:2:6:5:(wide($1)) with candlesticks whiskerbars 0.6"
box_middle = "using ($1-wide($1)/2):4:(wide($1)):(0) with vectors nohead linecolor rgb '#000000' linewidth 2 notitle"
# The same columns of a query of x and value; a percentile is the least value that so many are not above.
percentile(p) = sprintf('min(value) FILTER (WHERE share >= %g)', p)
boxes(rows) = q(sprintf('SELECT x, %s, %s, %s, %s, %s FROM (SELECT x, value, cume_dist() OVER (PARTITION BY x ORDER ' \
    . 'BY value) AS share FROM (%s)) GROUP BY x', percentile(0.05), percentile(0.25), percentile(0.5), \
    percentile(0.75), percentile(0.95), rows))

# ---- heat maps ----
# `cells` is a query of x, y, number and colour, the latter from -1 (blue) over 0 (white) to 1 (red). @heat_map draws
# them, the values of x and y as names at equal distances. `colour_names` are those of -1, 0 and 1; `thesis` is a grey
# line below.
heat(columns) = q('SELECT dense_rank() OVER (ORDER BY x), dense_rank() OVER (ORDER BY y), ' . columns \
    . ' FROM (' . cells . ')')
heat_names(x) = fetch(sprintf('SELECT DISTINCT %s FROM (%s) ORDER BY 1', x, cells))
heat_map = "set xtics scale 0 (); set ytics scale 0 (); xs = heat_names('x'); ys = heat_names('y');do for [i = " \
    . "1:words(xs)] { set xtics add (word(xs, i) i) }; do for [i = 1:words(ys)] { set ytics add (word(ys, i) i) " \
    . "};set xrange [0.5:words(xs)+0.5]; set yrange [0.5:words(ys)+0.5]; unset grid; unset border; unset key;set " \
    . "bmargin 5.5; set rmargin 13; set label 998 thesis at screen 0.46, 0.1 center textcolor rgb grey;set palette " \
    . "defined (-1 '#6aa5de', 0 '#ffffff', 1 '#f2816f'); set cbrange [-1:1]; set colorbox noborder;set cbtics scale " \
    . "0 (word(colour_names, 1) -1, word(colour_names, 2) 0, word(colour_names, 3) 1);plot heat('number, colour') " \
    . "using 1:2:($1-0.49):($1+0.49):($2-0.48):($2+0.48):4 with boxxyerror linecolor palette fillstyle solid 1, " \
    . "heat('number') using 1:2:(sprintf('%.2f', $3)) with labels textcolor rgb ink"
