load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_fdtd2d'
kernel = 'FDTD-2D' . ', ' . partner_fact('device0_name')
thesis = 'thesis, PCI-E: blp 1.31, best async 1.24'
set title kernel
@second_node
@async_heat_map
