load 'style.gp'
load 'blp.gp'
set title 'All versions, speedup over sync, ' . partner_fact('device0_name')
experiment = 'partner_blp_datasets'
@second_node
link = 'PCI-E'
of_async = "('fdtd2d', 'cui-c-173'), ('atax', 'cui-c-182')"
of_blp = "('conv2d', 'cui-c-156'), ('fdtd2d', 'cui-c-174'), ('atax', 'cui-c-180')"
@all_versions
