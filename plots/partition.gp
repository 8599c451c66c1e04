# partition.gp: what the figures of one-GPU programs on several GPUs share. See README.md.
#
# Rows of an application as it is (on 1 device) or partitioned for d devices; the numbers of devices in an experiment;
# names in the key.
on_devices(app, d) = sprintf("app = '%s' AND devices = %s AND variant = '%s'", app, d, \
    d eq '1' ? 'original' : 'partitioned')
device_counts(experiment, app) = fetch('SELECT DISTINCT devices FROM ' . experiment . "_median WHERE app = '" . app \
    . "' ORDER BY 1")
devices_title(d) = d eq '1' ? 'original' : d . ' devices'
# Lines of `column` over the size, one for each number of devices; wants `experiment`, `app`, `column`.
device_lines = "counts = device_counts(experiment, app); plot for [i = 1:words(counts)] metric(experiment, 'size', " \
    . "column, on_devices(app, word(counts, i))) with yerrorlines linestyle i title devices_title(word(counts, i))"
particles_x = "set xlabel 'particles'; set format x number('SELECT max(size) FROM ' . experiment . '_median') > 1e5 " \
    . "? '%.0s%c' : '%g'"
# Columns x, gain of a variant over the original in `column`, low and high; `share` is a factor in SQL, p being the
# variant's row.
gains(experiment, app, column, x, share, where) = q('WITH m AS (SELECT size, iterations, variant, devices, ' \
    . '' . '' . sprintf('median(%s) AS mid, interval_low(%s) AS low, interval_high(%s) AS high FROM ', column, column, \
    column) . experiment . " WHERE status = 'pass' AND app = '" . app . "' GROUP BY 1, 2, 3, 4) SELECT " . x \
    . sprintf(', %s * o.mid / p.mid, %s * o.low / p.high, %s * o.high / p.low', share, share, share) \
    . " FROM m AS p JOIN m AS o USING (size, iterations) WHERE o.variant = 'original' AND " . where . ' ORDER BY 1')
# ---- diagrams ----
# A device has the same colour in every diagram: that of its line style, from the eighth on a lighter tint of it; cells
# have its number besides.
channel(rgb, shift, share) = int(255 - share * (255 - (rgb >> shift & 255))) << shift
tinted(rgb, share) = channel(rgb, 16, share) + channel(rgb, 8, share) + channel(rgb, 0, share)
device_hues = colours[1:48] . '#808080'
device_colour(d) = d < 0 ? 0xf0f0f0 : tinted(int('0x' . word(device_hues, int(d) % 7 + 1)[2:7]), \
    0.65 - 0.22 * (int(d) / 7))
# Boxes of the columns x1, x2, y1, y2, device; texts of x, y, text.
device_boxes = "using (0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4:(device_colour($5)) with boxxyerror linecolor rgb variable " \
    . "fillstyle solid 1 border rgb '#fffffe' notitle"
cell_texts = "using 1:2:3 with labels textcolor rgb ink notitle"
grid_lines = "with vectors nohead linecolor rgb '#fffffe' linewidth 0.3 notitle"
# Parts of grids in blocks: x1, x2, y1, y2, device; numbers of devices in the middle of their part. `where` names the
# rows of partition_grids.
grid_parts(columns, where) = q('SELECT ' . columns . ', device FROM (SELECT *, offset_x / block_x AS x, offset_y / ' \
    . 'block_y AS y FROM partition_grids_median) WHERE part >= 0 AND size_x > 0 AND size_y > 0 AND ' . where)
part_boxes(where) = grid_parts('x, x + size_x, y, y + size_y', where)
block_lines(wide, high) = q(sprintf('WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 99) ' \
    . 'SELECT i, 0, 0, %d FROM n WHERE i < %d UNION ALL SELECT 0, i, %d, 0 FROM n WHERE i < %d', high, wide, wide, \
    high))
# Elements of an example of partition_copies in rows of a diagram: `set` names rows by kind, launch, mode; columns k
# (element), part, sender, receiver.
elements_of(example, set) = '(WITH RECURSIVE n(k) AS (VALUES (0) UNION ALL SELECT k + 1 FROM n WHERE k < 99) SELECT ' \
    . 'k, part, [from] AS sender, [to] AS receiver FROM partition_copies_median JOIN n ON k >= begin AND k < ' \
    . 'end_element ' . "WHERE [case] = '" . example . "' AND " . set . ')'
accesses(kind, launch) = sprintf("kind = '%s' AND launch = %d", kind, launch)
in_mode(kind, mode) = sprintf("kind = '%s' AND mode = '%s'", kind, mode)
# Cells in the row, plus `step` for each device: x1, x2, y1, y2 and the device that accesses, or the one that wrote the
# element last.
row_cells(row, step) = sprintf('r.k - 0.5, r.k + 0.5, %g + %g * r.part - 0.35, %g + %g * r.part + 0.35, ', row, step, \
    row, step)
set_cells(example, set, row, step) = pick(row_cells(row, step) . 'part', elements_of(example, set) . ' AS r', 'true')
latest_cells(example, set, row, step) = pick(row_cells(row, step) . 'coalesce(o.part, -1)', elements_of(example, set) \
    . ' AS r LEFT JOIN ' . elements_of(example, in_mode('owner', 'omega')) . ' AS o USING (k)', 'true')
set_points(example, set, row, step) = pick(sprintf('k, %g + %g * receiver', row, step), elements_of(example, set), \
    'true')
# Six panels of bodies in three dimensions.
solid_blocks = "set style fill solid 1; set view 64, 32, 0.8, 1; set view equal xyz; unset colorbox; unset " \
    . "border;set pm3d depthorder border linecolor rgb '#fffffe' linewidth 0.7; unset tics;set multiplot layout 2, 3 " \
    . "margins 0.02, 0.98, 0.13, 0.89 spacing 0.02, 0.1;set key at screen 0.32, 0.06 center center horizontal " \
    . "maxrows 1 samplen 0.5 width -4"
# What the copies between two launches depend on: rows(columns, where) has place, name, late, side and direct;
# `before`, `after` and `copies` are the heights of the two launches' elements and of the copies.
node(low, high, y) = q(sprintf('VALUES (%g, %g, %g, %g)', low, high, y - 1.2, y + 1.2))
node_box = "using (0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4 with boxxyerror fillstyle solid 1 border rgb '#404040' " \
    . "linecolor rgb '#f0f0f0' notitle"
dependency_graph = "unset border; unset tics; unset grid; set yrange [*:*] reverse;do for [i = 0:1] { set label 1 + " \
    . "i sprintf(\"I: elements that the\\n%s\", i ? 'launch reads' : 'launch before writes') at 2, (i ? after : " \
    . "before) - 0.4 center front textcolor rgb ink };set label 3 \"R: copies between\\ntheir devices\" at 3.5, " \
    . "copies - 0.4 center front textcolor rgb ink;set arrow 1 from 2.5, before to 3.05, copies-0.4 linestyle 10;set " \
    . "arrow 2 from 2.5, after to 3.05, copies+0.4 linestyle 10;plot [-0.05:4.05] for [d = 0:1] rows(d ? sprintf('1, " \
    . "place, 2.05, %g - place', copies) : sprintf('1, place, 0.5, iif(side = 0, %g, %g) - place', before, after), " \
    . "sprintf('direct = %d', d)) with vectors nohead linecolor rgb '#a0a0a0' notitle, for [late = 0:1] " \
    . "rows('place', sprintf('late = %d', late)) using (0.5):1:(0):(1):($1-0.4):($1+0.4) with boxxyerror fillstyle " \
    . "solid 1 noborder linecolor rgb device_colour(late ? 0 : 2) title late ? 'known at run time' : 'known at " \
    . "compile time',rows('0.5, place, name', 'true') " . cell_texts . ", node(1.5, 2.5, before) " . node_box \
    . ",node(1.5, 2.5, after) " . node_box . ", node(3.05, 3.95, copies) " . node_box
