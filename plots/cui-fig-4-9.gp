load 'style.gp'
load 'blp.gp'
experiment = 'partner_blp_conv2d'
kernel = '2D convolution' . ', ' . partner_fact('device0_name')
thesis = sprintf('thesis, PCI-E: blp %g, async never faster', thesis('cui-c-156', 1))
set title kernel
@second_node
@async_heat_map
