load 'style.gp'
load 'partition.gp'
set multiplot layout 1, 2 margins 0.05, 0.97, 0.24, 0.9 spacing 0.1, 0
set title 'a thread for each of 6 x 6 elements'
set key at screen 0.27, 0.11 center vertical maxrows 2; unset tics; unset grid
dx(k) = word('0 -1 1 0', k) + 0; dy(k) = word('-1 0 0 1', k) + 0
set for [k = 1:4] arrow from 3.5 + 0.7 * dx(k), 2.5 + 0.7 * dy(k) to 3.5 + 0.3 * dx(k), 2.5 + 0.3 * dy(k) front \
    linestyle 35
two = "dims = 'y' AND devices = 2"
frames(kind) = q('SELECT k % 6 + 0.5, k / 6 + 0.5 FROM ' . elements_of('fig20', in_mode(kind, 'omega')))
frame(half) = sprintf('using 1:2:($1-%g):($1+%g):($2-%g):($2+%g) with boxxyerror ', half, half, half, \
    half)
whole = frame(0.44) . dotted_box
read = frame(0.36) . ink_box
numbers = q('WITH RECURSIVE n(k) AS (VALUES (0) UNION ALL SELECT k + 1 FROM n WHERE k < 35) SELECT k % 6 + 0.5, k / ' \
    . '6 + 0.5, k FROM n')
plot [0:6] [6:0] part_boxes(two . ' AND block_x = 1') @device_boxes, block_lines(6, 6) with vectors nohead \
    linestyle 9 notitle, \
     frames('copy-rows') @whole title 'copied in whole rows', frames('copy') @read notitle, \
     keyentry with boxes @key_box title 'copied: what is read', \
     numbers @cell_texts
set title 'elements of a device by size of a block'
unset arrow; unset label 999; set key at graph 0.03, 0.97 left top; set ytics 6 nomirror; set grid ytics
groups = fetch("SELECT block_x || 'x' || block_y FROM partition_grids_median WHERE " . two \
    . ' GROUP BY block_y, block_x')
@groups_x
shares(device) = q('SELECT place, 6 * (min(6, offset_y + size_y * block_y) - min(6, offset_y)) FROM (SELECT *, ' \
    . 'dense_rank() OVER (ORDER BY block_y, block_x) AS place FROM partition_grids_median WHERE ' . two \
    . ') WHERE device = ' . device)
plot [] [0:40] for [d = 0:1] shares(d) using (bar($1, d + 1, 2)):2:(bar_width(2)) with boxes \
    @device_fill(d) title sprintf('device %d', d)
