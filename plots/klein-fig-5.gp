load 'style.gp'
set title 'Grids of one dimension on three devices'
counts = line_counts(line_rows)
most = words(counts)
set ytics scale 0 ()
do for [i = 1:most] { set ytics add (word(counts, i) i) }
marked = fetch('SELECT first, size_x, offset_x, row FROM ' . line_rows . ' WHERE device = 1 ORDER BY grid_x DESC LIMIT 1')
begin = word(marked, 1) + 0; size = word(marked, 2) + 0
set arrow 1 from 0, most + 0.62 to begin, most + 0.62 heads linestyle 10
set arrow 2 from begin, most + 0.62 to begin + size, most + 0.62 heads linestyle 10
set label 1 sprintf('offset: %d threads', word(marked, 3) + 0) at begin / 2.0, most + 0.9 center
set label 2 sprintf('size: %d blocks', size) at begin + size / 2.0, most + 0.9 center
set xlabel 'block'; unset grid
plot [0:] [most + 1.3:0.4] line_blocks @device_boxes, line_names @cell_texts
