load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_conv2d'
kernel = '2D convolution' . ', ' . partner_fact('device0_name')
thesis = 'thesis, PCI-E: blp 1.62, async never faster'
set title kernel
@second_node
@async_heat_map
