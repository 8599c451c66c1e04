load 'style.gp'
load 'partition.gp'
# Of each block the faces top, front and right: two lines of two corners each, and blank lines.
corners = 'f(face) AS (VALUES (1), (2), (3)), c(v, a, b) AS (VALUES (1, 0, 0), (2, 1, 0), (3, NULL, NULL), (4, 0, ' \
    . '1), (5, 1, 1), (6, NULL, NULL), (7, NULL, NULL))'
cubes(dims) = q('WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 15), ' . corners \
    . ' SELECT (x + iif(face = 3, 1, a)) || char(9) || (y + CASE face WHEN 1 THEN b WHEN 2 THEN 0 ELSE a END) || ' \
    . 'char(9) || (z + iif(face = 1, 1, b)) || char(9) || device || char(9) || face FROM (SELECT part, device, 1.3 * ' \
    . 'offset_x / block_x + j.i AS x, 1.3 * offset_y / block_y + k.i AS y, 1.3 * offset_z / block_z + l.i AS z FROM ' \
    . 'partition_grids_median JOIN n AS j ON j.i < size_x JOIN n AS k ON k.i < size_y JOIN n AS l ON l.i < size_z ' \
    . 'WHERE part >= 0 AND grid_z > 1 AND ' . "rule = 'even' AND dims = '" . dims . "'), f, c ORDER BY part, x, y, " \
    . "z, face, v")
set label 4 '4 x 4 x 4 blocks on 4 devices, cut along one or two dimensions' at screen 0.5, 0.965 center
set label 1 'x' at 2.6, -0.7, -0.2 center textcolor linestyle 11
set label 2 'y' at 6.1, 2.8, 0 center textcolor linestyle 11
set label 3 'z' at -0.6, 0, 2.2 center textcolor linestyle 11
set style fill solid 1; set view 64, 32, 0.74, 1; set view equal xyz; unset colorbox; unset border; unset tics
set pm3d depthorder border linestyle 37
set multiplot layout 2, 3 margins 0.02, 0.98, 0.17, 0.89 spacing 0.02, 0.12
set key at screen 0.5, 0.085 center center horizontal maxrows 1 samplen 0.5 width -4
do for [dims in 'x y z xy xz yz'] {
    set title 'along ' . dims
    splot [0:5.5] [0:5.5] [0:5.5] cubes(dims) using 1:2:3:(tinted(device_colour($4), $5 == 1 ? 0.75 : $5 == 2 ? 1 \
        : 0.88)) \
        with pm3d @by_colour notitle, for [d = 0:3] keyentry with points pointtype 5 pointsize 1.6 \
        @device_point(d) title sprintf('device %d', d)
    unset key; do for [i = 4:999:995] { unset label i }
}
