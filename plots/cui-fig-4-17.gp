load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_atax'
kernel = 'ATAX' . ', ' . partner_fact('device0_name')
thesis = sprintf('thesis, PCI-E: blp %g, %g times the best async', thesis('cui-c-180', 1), 1 + thesis('cui-c-181', 1))
set title kernel
@second_node
@async_heat_map
