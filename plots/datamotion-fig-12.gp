load 'style.gp'
load 'blp.gp'
set title 'Direct access beside the copy engines, 128 bits per access'
experiment = 'blp_bandwidth_threads'
directions = "in out both"
titles = "'to the device' 'to the host' 'both at once'"
rows(variant, i) = sprintf("variant = '%s' AND direction = '%s'", variant, word(directions, i))
whole = ' AND bits = 128 AND threads / blocks = ' . fetch('SELECT max(threads / blocks) FROM ' . experiment \
    . '_median')
set xlabel 'copy blocks of each direction'
@bandwidth_y
limits = ''; do for [i = 1:3] { limits = limits . sprintf(' %.9g', best_rate(experiment, rows('memcpy', i))) }
plot [0:*] [0:*] for [i = 1:3] rates(experiment, 'blocks', rows('direct', i) . whole) with yerrorlines \
    linestyle i title word(titles, i), \
     for [i = 1:3] real(word(limits, i)) with lines linestyle 20+i title word(titles, \
     i) . ', copy engines'
