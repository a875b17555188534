from discreet.cli import main

main()
