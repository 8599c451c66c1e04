experiment = 'partner_blp_datasets'
link = 'PCI-E'
of_async = "('fdtd2d', 'cui-c-173'), ('atax', 'cui-c-182')"
of_blp = "('conv2d', 'cui-c-156'), ('fdtd2d', 'cui-c-174'), ('atax', 'cui-c-180')"
load 'cui-fig-4-18.gp'
