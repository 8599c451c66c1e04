devices = 2; example = 'fig9'
name = 'The same on two devices without copies (colour: who wrote it)'
load 'klein-fig-8.gp'
