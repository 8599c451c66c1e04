load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_fdtd2d'
kernel = 'FDTD-2D' . ', ' . partner_fact('device0_name')
thesis = best_async('PCI-E', 'cui-c-174', 'cui-c-173')
set title kernel
@second_node
@async_heat_map
