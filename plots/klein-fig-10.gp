load 'style.gp'
load 'partition.gp'
set title 'Mesh refinement on three devices: each launch writes a window'
# Launches 0 and 1 write windows, launch 2 reads what either wrote; what copies from the last writer alone miss.
names = "'launch 1 writes' 'launch 2 writes' 'last writer' 'launch 3 reads: device 0' 'device 1' 'device 2' 'thesis: " \
    . "host gets'"
unset grid; set border 0; set tics scale 0; set ytics (); set xtics 4; set xlabel 'element of the mesh'
do for [i = 1:7] { set ytics add (word(names, i) i) }
cells(row, step, set) = set_cells('fig10', set, row, step)
plot [-0.5:35.5] [7.6:0.4] for [i = 1:2] cells(i, 0, accesses('write', i - 1)) @device_boxes, \
     cells(3, 0, in_mode('owner', 'omega')) @device_boxes, latest_cells('fig10', accesses('read', 2), 4, \
     1) @device_boxes, \
     cells(7, 0, in_mode('gather', 'last-writer')) @device_boxes, \
     set_points('fig10', in_mode('copy', 'omega'), 4, 1) with points linestyle 35 pointtype 7 pointsize 0.9 notitle, \
     keyentry with points linestyle 7 pointtype 7 pointsize 0.9 title 'copied by last writer of each element', \
     set_points('fig10', in_mode('stale', 'last-writer'), 4, 1) @ink_frame pointsize 1.9 notitle, \
     keyentry @key_frame pointsize 1.9 title 'stale if copied from the last launch alone'
