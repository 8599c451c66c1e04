load 'style.gp'
load 'partition.gp'
# klein-fig-9 sets these three. Without copies between the launches: writes above, reads below.
if (!exists('devices')) { devices = 1; example = 'fig8'; name = 'Two launches on one device: B reads what A wrote ' \
    . 'there' }
set title name
row = devices + 1.8; most = number("SELECT max(end_element) FROM partition_copies_median WHERE [case] = '" . example \
    . "'")
wrote = accesses('write', 0); reads = accesses('read', 1); owns = elements_of(example, in_mode('owner', 'omega'))
names(set, row) = pick(sprintf('k, %g + part, k', row), elements_of(example, set), 'true')
# From the element where it was written last to each that reads it, in x by reader.
arrows(foreign) = pick(sprintf('k + 0.3 * (r.part - 0.5 * (%d - 1)), 1.35 + o.part, 0, %g + r.part - o.part - 1.7', \
    devices, row), elements_of(example, reads) . ' AS r JOIN ' . owns . ' AS o USING (k)', \
    '(r.part <> o.part) = ' . foreign)
unset grid; set border 0; unset xtics; set ytics scale 0 ()
do for [d = 0:devices-1] { set ytics add (sprintf('A writes, device %d', d) d + 1, sprintf('B reads, device %d', \
    d) row + d) }
plot [-0.6:most-0.4] [row+devices-0.4:0.4] arrows(0) with vectors filled linestyle 36 notitle, \
     set_cells(example, wrote, 1, 1) @device_boxes, latest_cells(example, reads, row, 1) @device_boxes, \
     arrows(1) with vectors filled linestyle 7 linewidth 1.5 title devices > 1 ? 'is on another device' : '', \
     names(wrote, 1) @cell_texts, names(reads, row) @cell_texts, set_points(example, in_mode('stale', 'none'), row, 1) \
         @ink_frame pointsize 3 notitle, for [i = 2:devices] keyentry @key_frame pointsize 3 \
         title 'stale without a copy'
