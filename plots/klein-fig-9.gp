load 'style.gp'
load 'partition.gp'
set title 'The same on two devices without copies (colour: who wrote it)'
example = 'fig9'
devices = 2
@access_rows
