load 'style.gp'
set multiplot layout 1, 2 margins 0.05, 0.97, 0.24, 0.9 spacing 0.1, 0
set title 'a thread for each of 6 x 6 elements'
set key at screen 0.27, 0.11 center vertical maxrows 2; unset tics; unset grid
set for [k = 1:4] arrow from 3.5 + 0.7 * word('0 -1 1 0', k), 2.5 + 0.7 * word('-1 0 0 1', k) to 3.5 + 0.3 * word('0 -1 1 0', k), 2.5 + 0.3 * word('-1 0 0 1', k) front linestyle 10
plot [0:6] [6:0] part_boxes(stencil_where . ' AND block_x = 1') @device_boxes, block_lines(6, 6) with vectors nohead linestyle 9 notitle, \
     stencil_copies('copy-rows') @row_frames title 'copied in whole rows', stencil_copies('copy') @read_frames title 'copied: what is read', stencil_cells @cell_texts
set title 'elements of a device by size of a block'
unset arrow; unset label 999; set key at graph 0.03, 0.97 left top; set ytics 6 nomirror; set grid ytics
groups = stencil_blocks(stencil_where)
@groups_x
plot [] [0:40] for [d = 0:1] stencil_shares(d) using (bar($1, d + 1, 2)):2:(bar_width(2)) @device_bars
