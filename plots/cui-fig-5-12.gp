load 'style.gp'
load 'tuner.gp'
# cui-fig-5-11 has the other machine.
if (!exists('view')) { view = 'tuner_blocks'; set title 'Blocks of 64, 128 and 256 threads' } else {
    set title 'Blocks of 64, 128 and 256 threads, ' . partner_fact('device0_name')
    experiment = 'partner_tuner_sweep'
    @second_node
}
# By kernel in the order of table 5-1: groups of bars, the same for both nodes.
bars(threads) = pick('p.rowid, share, share_low, share_high', 'cui_tab_5_1 AS p JOIN ' . view \
    . ' ON variant = benchmark', sprintf('block_x = 32 AND block_y = %d', threads / 32))
groups = fetch('SELECT benchmark FROM cui_tab_5_1')
@groups_x
set ylabel 'speed / best'
least = thesis('cui-c-237', 1)
plot [] [0:1.1] for [i = 1:3] bars(32 * 2**i) using (bar($1, i, 3)):2:3:4:(bar_width(3)) @measured_bars linestyle i \
    title sprintf('%d threads: 32 x %d', 32 * 2**i, 2**i), \
     least linestyle 11 pointtype 0 title sprintf('thesis: some reach only %g', least), 1 linestyle 8 \
     title 'best block of the kernel'
