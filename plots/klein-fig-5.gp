load 'style.gp'
load 'partition.gp'
set title 'Grids of one dimension on three devices'
lines = '(SELECT *, dense_rank() OVER (ORDER BY grid_x) AS row, offset_x / block_x AS first FROM ' \
    . 'partition_grids_median ' . "WHERE dims = 'x' AND devices = 3 AND grid_y = 1 AND part >= 0 AND size_x > 0)"
blocks(columns) = q('WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 99) SELECT ' . columns \
    . ', device FROM ' . lines . ' JOIN n ON i < size_x')
counts = fetch("SELECT '''' || grid_x || ' blocks''' FROM " . lines . ' GROUP BY row ORDER BY row')
most = words(counts)
set ytics scale 0 ()
do for [i = 1:most] { set ytics add (word(counts, i) i) }
marked = fetch('SELECT first, size_x, offset_x FROM ' . lines . ' WHERE device = 1 ORDER BY grid_x DESC LIMIT 1')
begin = word(marked, 1) + 0; size = word(marked, 2) + 0; above = most + 0.62
set arrow 1 from 0, above to begin, above heads linestyle 10
set arrow 2 from begin, above to begin + size, above heads linestyle 10
set label 1 sprintf('offset: %d threads', word(marked, 3) + 0) at begin / 2.0, most + 0.9 center
set label 2 sprintf('size: %d blocks', size) at begin + size / 2.0, most + 0.9 center
set xlabel 'block'; unset grid
plot [0:] [most + 1.3:0.4] blocks('first + i, first + i + 1, row - 0.3, row + 0.3') @device_boxes, \
     blocks('first + i + 0.5, row') @cell_texts
