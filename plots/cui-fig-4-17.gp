load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_atax'
kernel = 'ATAX' . ', ' . partner_fact('device0_name')
thesis = 'thesis, PCI-E: blp 1.13, 1.086 times the best async'
set title kernel
@second_node
@async_heat_map
