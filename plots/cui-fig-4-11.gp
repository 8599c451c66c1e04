load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_conv3d'
kernel = '3D convolution' . ', ' . partner_fact('device0_name')
thesis = 'thesis, PCI-E: blp 1.07 times the best async'
set title kernel
@second_node
@async_heat_map
