load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_conv3d'
kernel = '3D convolution' . ', ' . partner_fact('device0_name')
thesis = sprintf('thesis, PCI-E: blp %g times the best async', thesis('cui-c-161', 1))
set title kernel
@second_node
@async_heat_map
