# The picture of cui-fig-5-12, of another machine.
experiment = 'partner_tuner_sweep'
load 'cui-fig-5-12.gp'
