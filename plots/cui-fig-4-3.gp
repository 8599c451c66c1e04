load 'style.gp'
set title '2D convolution, block-level pipelining: what each block does'
roles = 'copy-in compute copy-out'
rows = "(SELECT role, 1e3 * start_s AS wait_ms, 1e3 * ready_s AS ready_ms, 1e3 * end_s AS end_ms, dense_rank() OVER " \
    . "(ORDER BY instr('" . roles . "', role), block) AS place FROM blp_timeline WHERE variant = 'blp')"
blocks(role) = fetch("SELECT count(DISTINCT place) FROM " . rows . " WHERE role = '" . role . "'") + 0
role_spans(from, to, role) = q(sprintf("SELECT %s, %s, 0.6 - place, 1.4 - place FROM %s WHERE role = '%s'", from, to, \
    rows, role))
all = blocks(word(roles, 1)) + blocks(word(roles, 2)) + blocks(word(roles, 3))
unset ytics
set ylabel sprintf('%d blocks', all)
set xlabel 'time (ms)'
plot [0:*] [0.4-all:1] for [i = 1:3] role_spans('wait_ms', 'ready_ms', word(roles, i)) @spans linestyle 9 \
    title i == 1 ? 'waiting' : '', \
     for [i = 1:3] role_spans('ready_ms', 'end_ms', word(roles, i)) @spans linestyle i title sprintf('%s (%d)', \
     word(roles, i), blocks(word(roles, i)))
