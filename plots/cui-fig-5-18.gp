# The picture of cui-fig-5-16, of another machine.
view = 'partner_tuner_ratios'
load 'cui-fig-5-16.gp'
