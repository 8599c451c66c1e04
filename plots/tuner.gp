# tuner.gp: what the figures of thread blocks and of searches for them share. See README.md.
#
# @block_map draws `cells`, a query of x, y, value and a text for the best one: block_cells() of one kernel, or
# common_cells(), the least share of any kernel. x and y reach to `side` at most, x * y to `threads`. `thesis` stands in
# the corner that has no blocks; `published_best` may be a thesis_block(). Blocks above one another that have the same
# of 20 colours are one box, for smaller pictures.
side = 64
threads = 1024
published_best = ''
block_cells(kernel, value) = 'SELECT block_x AS x, block_y AS y, ' . value . " AS value, printf('%.4g GFLOP/s', " \
    . "rate_gflops) AS text FROM tuner_blocks WHERE variant = '" . kernel . "'"
common_cells(view) = "SELECT block_x AS x, block_y AS y, share AS value, printf('%.2f with ', share) || variant AS " \
    . 'text FROM ' . view . ' WHERE whole'
thesis_block(gpu, kernel) = fetch("SELECT x, y, 'thesis, " . gpu . ": best ' || x || ' x ' || y FROM (SELECT " \
    . "" . sprintf("%s_ideal_thread_x AS x, %s_ideal_thread_y AS y FROM %s WHERE benchmark = '%s')", gpu, gpu, \
    gpu eq 'P100' ? 'cui_tab_5_3' : 'cui_tab_5_4', kernel))
block_boxes(cells) = sprintf("SELECT x, min(y), max(y), (level + 0.5) / 20 * %.9g FROM (SELECT x, y, level, y - " \
    . "row_number() OVER (PARTITION BY x, level ORDER BY y) AS run FROM (SELECT x, y, min(19, CAST(20 * value / %.9g " \
    . "AS INTEGER)) AS level FROM (", top, top) . cells . sprintf(") WHERE max(x, y) <= %d AND x * y <= %d)) GROUP " \
    . "BY x, level, run", side, threads)
# The best block as thesis_block() gives it: x, y and a text for the key. Both have a light ring that shows them on
# every colour.
best_block(cells) = fetch("SELECT x, y, 'best: ' || x || ' x ' || y || ', ' || text FROM (" . cells \
    . ') ORDER BY value DESC, x, y LIMIT 1')
point_of(block) = q(block eq '' ? 'SELECT 1, 1 WHERE false' : sprintf('VALUES (%s, %s)', word(block, 1), word(block, \
    2)))
text_of(block) = block[strlen(word(block, 1) . word(block, 2))+3:]
set style line 31 linecolor rgb '#fffffe' linewidth 4 pointtype 6 pointsize 1
set style line 32 linecolor rgb '#D55E00' linewidth 2 pointtype 6 pointsize 1
set style line 33 linecolor rgb '#fffffe' linewidth 4 pointtype 4 pointsize 1.6
set style line 34 linecolor rgb ink linewidth 1.5 pointtype 4 pointsize 1.6
block_map = "extent = fetch(sprintf('SELECT max(value), min(%d, max(max(x), max(y))) FROM (', side) . cells . " \
    . "')');top = word(extent, 1) + 0; side = int(word(extent, 2)); step = side < 8 ? 1 : side / 8; found = " \
    . "best_block(cells);set style fill solid 1 noborder; set xlabel 'threads of a block in x'; set ylabel 'threads " \
    . "of a block in y';set xrange [0.5:side+0.5]; set yrange [0.5:side+0.5]; set xtics out (1); set ytics out " \
    . "(1);do for [i = step:side:step] { set xtics add (i); set ytics add (i) }; unset grid; set rmargin 14;set " \
    . "label 998 thesis at graph 0.98, 0.95 right textcolor rgb grey;set cbrange [0:top]; set colorbox noborder; set " \
    . "cbtics scale 0; set cblabel offset 1;set palette maxcolors 20 defined (0 '#440154', 1 '#482878', 2 '#3e4989', " \
    . "3 '#31688e', 4 '#26828e', 5 '#1f9e89',6 '#35b779', 7 '#6ece58', 8 '#b5de2b', 9 '#fde725');plot " \
    . "q(block_boxes(cells)) using 1:2:($1-0.51):($1+0.51):($2-0.51):($3+0.51):4 with boxxyerror linecolor palette " \
    . "fillstyle solid 1 notitle, for [i = 31:34] point_of(i < 33 ? found : published_best) using 1:2 with points " \
    . "linestyle i notitle, keyentry with points linestyle 32 title text_of(found) " \
    . ". (word(found, 1) > side || word(found, 2) > side ? ', not in the map' : ''), for [i = " \
    . "1:words(published_best) > 0] keyentry with points linestyle 34 linecolor rgb '#000000' title " \
    . "text_of(published_best)"

# What searches need on both machines; names of the kernels.
of_both(view) = '(SELECT * FROM ' . view . ' UNION ALL SELECT * FROM partner_' . view . ')'
search_groups(experiment) = fetch('SELECT DISTINCT benchmark FROM ' . experiment . '_median ORDER BY benchmark')
tuner_models = 'cart knn svm forest mlp'
