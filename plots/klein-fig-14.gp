load 'style.gp'
load 'partition.gp'
set multiplot layout 1, 2 title 'Product of matrices of 1024 x 1024 on three devices, cut along y' margins 0.11, \
    0.96, 0.17, 0.84 spacing 0.11, 0
unset key; unset grid; set tics scale 0; set xtics 256; set ytics 256
here = "dims = 'y' AND devices = 3 AND grid_x = 32 AND part >= 0"
strips(x, y) = q(sprintf('SELECT %s, device FROM partition_grids_median WHERE %s', x . ', ' . y, here))
names(x, y) = q(sprintf("SELECT %s, %s, 'device ' || device FROM partition_grids_median WHERE %s", x, y, here))
part = 'offset_y, offset_y + size_y * block_y'
middle = 'offset_y + size_y * block_y / 2'
set xlabel 'column of C'; set ylabel 'row of C'
set title "C[x * N + y], the thesis's kernel"
plot [0:1024] [1024:0] strips(part, '0, 1024') @device_boxes, names(middle, '512') @cell_texts
set title 'C[y * N + x]'; unset ylabel; unset label 999
plot [0:1024] [1024:0] strips('0, 1024', part) @device_boxes, names('512', middle) @cell_texts
