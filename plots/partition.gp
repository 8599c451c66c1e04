# partition.gp: what the figures of one-GPU programs on several GPUs share. See README.md.
#
# Rows of an application as it is (on 1 device) or partitioned for d devices; the numbers of devices in an experiment;
# names in the key.
on_devices(app, d) = sprintf("app = '%s' AND devices = %s AND variant = '%s'", app, d, \
    d eq '1' ? 'original' : 'partitioned')
device_counts(experiment, app) = fetch('SELECT DISTINCT devices FROM ' . experiment . "_median WHERE app = '" . app \
    . "' ORDER BY 1")
devices_title(d) = d eq '1' ? 'original' : d . ' devices'
# Rows of a view for d devices: columns x, mid, low and high, all but x times `scale`. @device_lines draws lines(d) of
# `experiment` and `app`, one for each number of devices.
judged_on(view, x, scale, app, d, where) = pick(x . ', mid * ' . scale . ', low * ' . scale . ', high * ' . scale, \
    view, \
    on_devices(app, d) . ' AND ' . where)
device_lines = "counts = device_counts(experiment, app); plot for [i = 1:words(counts)] lines(word(counts, i)) with " \
    . "yerrorlines linestyle i title devices_title(word(counts, i))"
particles_x = "set xlabel 'particles'; set format x number('SELECT max(size) FROM ' . experiment . '_median') > 1e5 " \
    . "? '%.0s%c' : '%g'"
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
# Colours of the diagrams: black on cells, which stays on a dark page, and its entry in the key; arrows, edges, nodes.
ink_frame = "with points pointtype 4 linewidth 2 linecolor rgb ink"
key_frame = "with points pointtype 4 linewidth 2 linecolor rgb '#000000'"
ink_box = "fillstyle empty border rgb ink linewidth 1.8 linecolor rgb ink"
key_box = "fillstyle empty border rgb '#000000' linewidth 1.8 linecolor rgb '#000000'"
dotted_box = "fillstyle empty border rgb '#404040' linewidth 1 dashtype 3 linecolor rgb '#404040'"
node_box = "fillstyle solid 1 border rgb '#404040' linecolor rgb '#f0f0f0'"
device_fill = "fillstyle solid 1 linecolor rgb device_colour"
by_colour = "fillcolor rgb variable"
device_point = "linecolor rgb device_colour"
set style line 35 linecolor rgb ink
set style line 36 linecolor rgb '#a0a0a0'
set style line 37 linecolor rgb '#fffffe' linewidth 0.7
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
