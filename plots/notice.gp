# notice.gp: a picture in the place of a figure without data. NOTICE and TITLE come from plots/draw; a figure that
# finds out by itself has set `missing`.
load 'style.gp'
set title system('printf %s "$TITLE"')
unset border; unset tics; unset key; unset grid
said = exists('missing') ? missing : system('printf %s "$NOTICE" | fold -s -w 60')
set label 1 said at screen 0.5, 0.5 center font ',14' textcolor rgb grey
plot [0:1] [0:1] NaN
